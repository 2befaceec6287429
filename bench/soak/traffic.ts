/** The mixed traffic of one client: each request with its expected response. */
import type { Sent } from 'autocannon';
import { seeded } from '../seed.js';
import { attachmentsDocument } from '../workloads.js';
import { FILE_BYTES, LINKS, nameless, small } from './form.js';
import type { StoredFile, World } from './world.js';

/** The state of a connection between its requests. */
export interface Memo {
  /** Method, address and body of the latest request. */
  asked?: string;
  uploaded?: number | undefined;
}

type Predicate = (text: string, memo: Memo) => boolean;

export interface Step {
  kind: string;
  /** The only expected status. */
  status: number;
  request(memo: Memo): Sent | undefined;
  /** The expected body. `first` means the first response to the same request. */
  check: Predicate | { first: Predicate };
}

const UPLOAD_BYTES = 10_000;
/** Attachments of each listed work package. */
const LISTED = 100;

/** The kind of each request in a round. Most are reads, as in a browser's list with thumbnails. */
const ROUND = [
  'one',
  'list',
  'one',
  'unchanged',
  'upload',
  'one',
  'graphql',
  'one',
  'part',
  'one',
  'unchanged',
  'one',
  'delete',
  'links',
  'one',
  'list',
  'hidden',
  'one',
  'unchanged',
  'whole',
  'one',
  'list',
  'one',
  'unchanged',
  'upload',
  'graphql',
  'one',
  'part',
  'one',
  'refused',
  'delete',
  'one',
  'list',
  'links',
  'graphql',
  'one',
  'unchanged',
  'hidden',
  'part',
  'whole',
] as const;
type Kind = (typeof ROUND)[number];

export const titles: { [kind in Kind]: string } = {
  one: 'W1, one attachment',
  list: 'W2, 100 attachments',
  graphql: 'W3, 100 by GraphQL',
  upload: 'upload of 10 kB',
  delete: 'its deletion',
  unchanged: 'content, 304',
  part: 'range of 5 kB, 206',
  whole: 'content of 64 KiB',
  links: '20 file links, storage takes 50 ms',
  hidden: 'invisible, 404',
  refused: 'upload without name, 422',
};

/** Visits all elements of a list repeatedly, in another order. */
function visit<T>(list: readonly T[]): () => T {
  let n = 0;
  return () => list[(n++ * 37) % list.length]!;
}

export function mixedSteps({ keys, linked, hidden }: World, files: readonly StoredFile[]): Step[] {
  const member = { Authorization: `Bearer ${keys.member}` };
  const get = (path: string, headers: Sent['headers'] = {}): Sent => ({
    method: 'GET',
    path,
    headers: { ...member, ...headers },
  });
  const [attachment, workPackage, inbox, file] = [
    visit(seeded.attachments),
    visit(seeded.workPackages),
    visit(seeded.inboxes),
    visit(files),
  ];
  const upload = (form: { type: string; text: string }): Sent => ({
    method: 'POST',
    path: `/api/v3/work_packages/${inbox()}/attachments`,
    headers: { ...member, 'Content-Type': form.type },
    body: form.text,
  });
  const content = (headers: (of: StoredFile) => Sent['headers']) => () => {
    const one = file();
    return get(`/api/v3/attachments/${one.id}/content`, headers(one));
  };
  const good = small(UPLOAD_BYTES);
  const steps: { [kind in Kind]: Omit<Step, 'kind'> } = {
    one: {
      status: 200,
      check: { first: (text) => parsed(text)._type === 'Attachment' },
      request: () => get(`/api/v3/attachments/${attachment()}`),
    },
    list: {
      status: 200,
      check: { first: (text) => parsed(text)._embedded.elements.length === LISTED },
      request: () => get(`/api/v3/work_packages/${workPackage()}/attachments`),
    },
    graphql: {
      status: 200,
      check: {
        first: (text) =>
          parsed(text).errors === undefined &&
          parsed(text).data.workPackage.attachments.nodes.length === LISTED,
      },
      request: () => ({
        method: 'POST',
        path: '/graphql',
        headers: { ...member, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          query: attachmentsDocument,
          variables: { id: String(workPackage()) },
        }),
      }),
    },
    upload: { status: 200, check: remembered, request: () => upload(good) },
    delete: {
      status: 204,
      check: (text) => text === '',
      request: ({ uploaded }) =>
        uploaded === undefined
          ? undefined
          : { method: 'DELETE', path: `/api/v3/attachments/${uploaded}`, headers: member },
    },
    unchanged: {
      status: 304,
      check: (text) => text === '',
      request: content(({ etag }) => ({ 'If-None-Match': etag })),
    },
    part: {
      status: 206,
      check: (text) => text.length === 5_000,
      request: content(() => ({ Range: 'bytes=1000-5999' })),
    },
    whole: {
      status: 200,
      check: (text) => text.length === FILE_BYTES,
      request: content(() => ({})),
    },
    links: {
      status: 200,
      check: {
        first: (text) =>
          text.split(':ViewAllowed"').length - 1 === LINKS && parsed(text).count === LINKS,
      },
      request: () =>
        get(`/api/v3/work_packages/${linked}/file_links`, {
          Authorization: `Bearer ${keys.reader}`,
        }),
    },
    hidden: {
      status: 404,
      check: { first: (text) => parsed(text).errorIdentifier.endsWith(':NotFound') },
      request: () => get(`/api/v3/attachments/${hidden}`),
    },
    refused: {
      status: 422,
      check: (text) =>
        (JSON.parse(text) as { errorIdentifier: string }).errorIdentifier.endsWith(
          ':PropertyConstraintViolation',
        ),
      request: () => upload(nameless),
    },
  };
  return ROUND.map((kind) => ({ kind, ...steps[kind] }));
}

const parsed = (text: string): any => JSON.parse(text);

/** The response to an upload has the id of the attachment, which is needed to delete it. */
function remembered(text: string, memo: Memo): boolean {
  const { id, fileSize } = JSON.parse(text) as { id: number; fileSize: number };
  memo.uploaded = id;
  return fileSize === UPLOAD_BYTES;
}

/** Only W2. */
export const listSteps = (world: World): Step[] =>
  mixedSteps(world, [])
    .filter(({ kind }) => kind === 'list')
    .slice(0, 1);
