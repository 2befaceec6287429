/** Operations on file links. */
import type { Outcome } from '../caller.js';
import {
  fileLinksOf,
  pick,
  usedIn,
  type Container,
  type FileLink,
  type Model,
  type Person,
  type Project,
  type RemoteFile,
  type Storage,
} from '../model.js';
import {
  managesFileLinks,
  holdsSomewhere,
  mayLinkTo,
  mayRemoveLink,
  refusalOf,
  sees,
  seesFileLinks,
  seesLink,
} from '../rules.js';
import { fields, graph, hal, type ShownLink } from '../normalized-answers.js';
import type { Operation } from '../step.js';
import { linkView, pageOf, pathOf } from '../views.js';
import { containerName, linkName, mostly, some } from './draw.js';

interface Wanted {
  storage: Storage;
  file: RemoteFile;
  name: string;
}

const CREATE = `mutation ($input: CreateFileLinksInput!) { createFileLinks(input: $input) { fileLinks { ${fields.link} } } }`;

const isSame = (
  one: Pick<FileLink, 'storage' | 'file'>,
  other: Pick<FileLink, 'storage' | 'file'>,
) => one.storage === other.storage && one.file === other.file;

/** Up to three. The last one often equals the first. */
function wanted(
  model: Model,
  projects: readonly Project[],
  { b, c, d }: { b: number; c: number; d: number },
): Wanted[] {
  const storages = mostly(model.storages, b + c, (storage) =>
    projects.some((project) => usedIn(model, project, storage)),
  );
  const one = { storage: some(storages, b), file: pick(model.files, c), name: 'first.txt' };
  const other = { storage: some(storages, d), file: pick(model.files, d), name: 'second.txt' };
  return [[one], [one, other], [one, other, { ...one, name: 'third.txt' }]][c % 3]!;
}

/** A linked file is not linked again. Of several elements for one file, only the first creates a link. */
function keep(
  model: Model,
  container: Container | undefined,
  creator: Person,
  elements: readonly Wanted[],
  ids: readonly number[],
): FileLink[] {
  const before = model.fileLinks.length;
  return elements.map((element, index) => {
    const known = model.fileLinks
      .slice(container ? 0 : before)
      .find((link) => !link.gone && link.container === container && isSame(link, element));
    if (known) return known;
    const link: FileLink = { id: ids[index]!, ...element, container, creator, gone: false };
    model.fileLinks.push(link);
    return link;
  });
}

/** The ids of new links are in the response, and the model learns them there. */
const made = (shown: ShownLink[]): Outcome => ({ shown, made: shown.map(({ id }) => id) });

export const create: Operation = (model, person, draws) => {
  const container =
    draws.a % 4 === 0
      ? undefined
      : some(
          model.containers.filter(({ kind }) => kind === 'WorkPackage'),
          draws.a,
        );
  const elements = wanted(model, container ? [container.project] : model.projects, draws);
  const sound = elements.every(({ storage }) =>
    mayLinkTo(model, person, storage, container?.project),
  );
  const body = elements.map(({ storage, file, name }) => ({
    originData: { id: file.originId, name },
    _links: { storage: { href: `/api/v3/storages/${storage.id}` } },
  }));
  const fileLinks = elements.map(({ storage, file, name }) => ({
    storageId: String(storage.id),
    originData: { id: file.originId, name },
  }));
  let links: FileLink[] = [];
  return {
    says: `links ${elements.map(({ storage, file }) => `file ${file.originId} of storage ${storage.id}`).join(', ')} to ${container ? containerName(container) : 'nothing'}`,
    refusal: container
      ? refusalOf(sees(person, container), managesFileLinks(person, container), sound)
      : refusalOf(
          true,
          person.key !== undefined && holdsSomewhere(model, person, 'manage_file_links'),
          sound,
        ),
    rest: (caller) =>
      caller.rest(
        'POST',
        container ? `${pathOf(container)}/file_links` : '/api/v3/file_links',
        (answer) => made(hal.list(answer, hal.link).elements),
        { _type: 'Collection', _embedded: { elements: body } },
      ),
    graphql: (caller) =>
      caller.graphql(
        CREATE,
        { input: { ...(container && { workPackageId: String(container.id) }), fileLinks } },
        (data) => made(data.createFileLinks.fileLinks.map(graph.link)),
      ),
    change(ids) {
      links = keep(model, container, person, elements, ids);
    },
    // Each id is requested once.
    shows: () => links.map((link) => linkView(person, link)),
  };
};

export const view: Operation = (model, person, { a, b }) => {
  const link = some(model.fileLinks, a);
  const { id, container } = link;
  const scoped = container && b % 2 === 0 ? pathOf(container) : '/api/v3';
  return {
    says: `looks at ${linkName(link)}`,
    refusal: refusalOf(seesLink(model, person, link), true),
    rest: (caller) =>
      caller.rest('GET', `${scoped}/file_links/${id}`, (body) => ({ shown: hal.link(body) })),
    graphql: (caller) =>
      caller.graphql(
        `query ($id: ID!) { fileLink(id: $id) { ${fields.link} } }`,
        { id: String(id) },
        (data) => ({ shown: graph.link(data.fileLink) }),
      ),
    shows: () => linkView(person, link),
  };
};

export const list: Operation = (model, person, { a, b, c, d }) => {
  const container = some(
    model.containers.filter(({ kind }) => kind === 'WorkPackage'),
    a,
  );
  const storage = b % 3 === 0 ? pick(model.storages, c) : undefined;
  const [offset, pageSize] = d % 3 === 0 ? [1 + (c % 2), 1 + (d % 2)] : [1, 20];
  const filters =
    storage &&
    `filters=${encodeURIComponent(JSON.stringify([{ storage: { operator: '=', values: [String(storage.id)] } }]))}&`;
  const query =
    'query ($id: ID!, $first: Int, $page: Int, $storageIds: [ID!]) { workPackage(id: $id) { fileLinks(first: $first, page: $page, filter: { storageIds: $storageIds }) { totalCount nodes { FIELDS } } } }'.replace(
      'FIELDS',
      fields.link,
    );
  return {
    says: `lists the file links of ${containerName(container)}${storage ? ` to storage ${storage.id}` : ''}, page ${offset} of ${pageSize}`,
    refusal: refusalOf(sees(person, container), seesFileLinks(person, container)),
    rest: (caller) =>
      caller.rest(
        'GET',
        `${pathOf(container)}/file_links?${filters ?? ''}offset=${offset}&pageSize=${pageSize}`,
        (body) => ({ shown: hal.list(body, hal.link) }),
      ),
    graphql: (caller) =>
      caller.graphql(
        query,
        {
          id: String(container.id),
          first: pageSize,
          page: offset,
          ...(storage && { storageIds: [String(storage.id)] }),
        },
        (data) => ({ shown: graph.list(data.workPackage.fileLinks, graph.link) }),
      ),
    shows() {
      const page = pageOf(
        fileLinksOf(model, container).filter((link) => !storage || link.storage === storage),
        offset,
        pageSize,
      );
      return { ...page, elements: page.elements.map((link) => linkView(person, link)) };
    },
  };
};

export const remove: Operation = (model, person, { a, b }) => {
  const link = some(model.fileLinks, a);
  const { id, container } = link;
  const scoped = container && b % 2 === 0 ? pathOf(container) : '/api/v3';
  return {
    says: `removes ${linkName(link)}`,
    refusal: refusalOf(seesLink(model, person, link), mayRemoveLink(person, link)),
    rest: (caller) =>
      caller.rest('DELETE', `${scoped}/file_links/${id}`, (_, { status, text }) => ({
        shown: `${status} ${text}`,
      })),
    graphql: (caller) =>
      caller.graphql(
        'mutation ($id: ID!) { deleteFileLink(input: { id: $id }) { deletedFileLinkId } }',
        { id: String(id) },
        () => ({ shown: '200 ' }),
      ),
    change: () => void (link.gone = true),
    shows: () => '200 ',
  };
};
