/** D2: additions for front ends. */
import { section, type Row } from '../row.js';
import { graphqlExecution, nestedLists, relay } from '../proofs.js';

export const frontEndRows: Row[] = [
  ...section('D2', [
    [
      'objects of the root',
      'Each is null on its own, with its error',
      'resolvers/attachment.ts',
      graphqlExecution('each object of the root is null'),
    ],
    [
      'nodes',
      'At most 100 objects by global id, null for those that the caller does not see',
      'resolvers/nodes.ts',
      relay('nodes returns objects of all', 'nodes has null for', 'nodes takes at most 100'),
    ],
    [
      'last, before',
      'Pages from the end of every list',
      'loaders/page.ts',
      [
        ...relay('last and before return the rows', 'reading from the end page by page'),
        ...nestedLists('the last rows of the lists of many'),
      ],
    ],
  ]),
];
