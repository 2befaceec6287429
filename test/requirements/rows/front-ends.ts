/** D2: additions for front ends. */
import { section, type Row } from '../row.js';
import { graphqlExecution } from '../proofs.js';

export const frontEndRows: Row[] = [
  ...section('D2', [
    [
      'objects of the root',
      'Each is null on its own, with its error',
      'resolvers/attachment.ts',
      graphqlExecution('each object of the root is null'),
    ],
  ]),
];
