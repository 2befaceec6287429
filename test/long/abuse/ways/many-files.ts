/** Mutations of many attachments, and uploads that are begun without an end. */
import { oneOf } from '../../fuzz/hostile-values.js';
import { MANY_FILES, REQUEST } from '../budgets.js';
import type { Sent, Way } from '../way.js';

interface Changes {
  /** How often the mutation is in the document. */
  times: number;
  /** Attachments of each mutation. */
  ids: number;
  mutation: 'copyAttachments' | 'moveAttachments';
}

const MUTATIONS = ['copyAttachments', 'moveAttachments'] as const;

/** Moved attachments are moved back by a request of its own, so that the next input finds them. */
export const manyFiles: Way<Changes> = {
  name: 'changes of many files',
  budget: MANY_FILES,
  first: () =>
    MUTATIONS.flatMap((mutation) => [
      { times: 1, ids: 100, mutation },
      { times: 10, ids: 100, mutation },
    ]),
  change: (_input, random) => ({
    times: 1 + random.integer(12),
    ids: 1 + random.integer(120),
    mutation: oneOf(random, MUTATIONS),
  }),
  requests(input, { comment, fullComment, listedAttachments }) {
    const to = (id: number) => changed(input, listedAttachments, id);
    return input.mutation === 'moveAttachments' ? [to(comment), to(fullComment)] : [to(comment)];
  },
};

function changed({ times, ids, mutation }: Changes, attachments: number[], to: number): Sent {
  const container = Buffer.from(`Activity:${to}`).toString('base64url');
  const fields = Array.from({ length: times }, (_, n) => {
    const some = attachments.slice(n * ids, (n + 1) * ids);
    return `m${n}: ${mutation}(input: { ids: [${some.join()}], to: "${container}" }) { attachments { id } }`;
  });
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation { ${fields.join(' ')} }` }),
  };
}

/** The size of an upload that is announced, in bytes. */
export const begunUploads: Way<number> = {
  name: 'begun uploads',
  budget: REQUEST,
  first: () => [0, 1, 1_000_000],
  change: (input, random) => (input * 7 + random.integer(1_000)) % 5_000_000,
  requests: (size, { workPackage }) => [
    {
      method: 'POST',
      path: '/uploads',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(size),
        'upload-metadata': [
          ['filename', 'film.bin'],
          ['container', Buffer.from(`WorkPackage:${workPackage}`).toString('base64url')],
        ]
          .map(([name, value]) => `${name} ${Buffer.from(value!).toString('base64')}`)
          .join(),
      },
    },
  ],
};
