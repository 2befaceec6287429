/** A mutation: a rule of the interface that is broken on purpose, and the test that must notice it. */
import { callers } from '../../permissions/expected.js';
import { rows } from '../../requirements/rows/index.js';
import { titlesMeant, type Proof, type Titled } from '../../requirements/row.js';
import type { Title } from '../../requirements/titles.js';

interface Change {
  /** The source file, below `src`. */
  source: string;
  /** Text that the file contains exactly once. */
  text: string;
  /** The text that replaces it. */
  by: string;
  /** The test file to run, below `test`, if the file of the test only defines tests for others. */
  runs?: string;
  /** Default: `sqlite`. */
  project?: 'no database';
}

export type Mutation = Change &
  (
    | {
        /** Id of a row of the ledger in `test/requirements`. */
        row: string;
        /** Which proof of the row must fail, from 0. Default: the first one. */
        proof?: number;
        /** For a proof in the permission matrix: the code of the caller in its tables. */
        caller?: string;
      }
    | {
        /** For a rule without a row in the ledger. */
        test: Titled;
      }
  );

/** The name of a mutation in the output. */
export const nameOf = (mutation: Mutation): string =>
  'row' in mutation ? mutation.row : `"${mutation.test.words}"`;

const MATRIX = 'permissions/permissions.test.ts';

/** What to run for a mutation. */
export interface Target {
  project: 'sqlite' | 'no database';
  /** Below `test`. */
  file: string;
  /** Matches the full names of the tests, as Jest's `-t` does. */
  pattern: string;
}

/** @throws if the row, the proof or the test does not exist */
export function targetOf(mutation: Mutation, titles: readonly Title[]): Target {
  const { project = 'sqlite', runs } = mutation;
  const proof = 'row' in mutation ? proofOf(mutation) : mutation.test;
  if (!('words' in proof)) {
    const caller = 'row' in mutation && mutation.caller && callers[mutation.caller];
    if (!caller) throw new Error(`${nameOf(mutation)}: this proof needs the code of a caller.`);
    const operations = proof.operations.map(escaped).join('|');
    return { project, file: MATRIX, pattern: `^as ${escaped(caller.name)} (${operations}):` };
  }
  const [title, ...others] = titlesMeant(proof, titles);
  if (title === undefined || others.length > 0)
    throw new Error(`${nameOf(mutation)}: not one test has the words "${proof.words}".`);
  // Tests that another file defines may be in further groups.
  const start = runs === undefined ? '^' : '(^| )';
  return { project, file: runs ?? proof.file, pattern: `${start}${patternOf(title)}$` };
}

function proofOf({ row: id, proof = 0 }: { row: string; proof?: number }): Proof {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`${id}: no such row.`);
  const found = row.proofs[proof];
  if (!found) throw new Error(`${id}: it has no proof ${proof}.`);
  return found;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Placeholders of `test.each` and of templates stand for any text. */
const patternOf = (title: string): string =>
  title
    .replaceAll(' › ', ' ')
    .split(/%[a-zA-Z]|\$[a-zA-Z][\w.]*/)
    .map(escaped)
    .join('.*');

/** The mutated source. @throws unless the text occurs exactly once */
export function mutated({ source, text, by }: Mutation, content: string): string {
  const parts = content.split(text);
  if (parts.length !== 2)
    throw new Error(`src/${source} has ${parts.length - 1} times ${JSON.stringify(text)}.`);
  return parts.join(by);
}
