/** One promise of the interface, with its source file and its proofs. */
import { cells, type Kind, type Operation } from '../permissions/expected.js';
import type { Title } from './titles.js';

export interface Row {
  /** Section and name, e.g. `2.2 fileName`. The sections `D1` to `D6` are choices of this service. */
  id: string;
  section: string;
  what: string;
  /** Below `src`. */
  source: string;
  proofs: readonly Proof[];
  /** Why there is no proof. */
  gap?: string;
}

/** A test. No other title of its file contains these words. */
export interface Titled {
  /** Below `test`. */
  file: string;
  words: string;
}

/** Cells of the permission matrix, of all kinds unless some are named. */
export interface Cells {
  operations: readonly Operation[];
  kinds: readonly Kind[] | undefined;
}

export type Proof = Titled | Cells;

/** Name, promise, source, and the proofs or the reason for the gap. */
export type Line = readonly [
  name: string,
  what: string,
  source: string,
  proofs: readonly Proof[] | { gap: string },
];

export const section = (number: string, lines: readonly Line[]): Row[] =>
  lines.map(([name, what, source, proofs]) => ({
    id: `${number} ${name}`,
    section: number,
    what,
    source,
    ...('gap' in proofs ? { proofs: [], gap: proofs.gap } : { proofs: proofs }),
  }));

/** Tests of one file, each by words in its title. */
export const testsOf =
  (file: string) =>
  (...words: string[]): Titled[] =>
    words.map((some) => ({ file, words: some }));

export const matrix = (operations: readonly Operation[], kinds?: readonly Kind[]): Cells[] => [
  { operations, kinds },
];

/** The titles that contain the words of a proof. One is right, others are errors. */
export const titlesMeant = (proof: Titled, titles: readonly Title[]): string[] =>
  titles
    .filter(({ file, title }) => file === proof.file && title.includes(proof.words))
    .map(({ title }) => title);

/** The number of combinations of operation, kind and caller. */
export const cellsMeant = ({ operations, kinds }: Cells): number =>
  cells.filter(
    ({ operation, kind, outcome }) =>
      operations.includes(operation) && (kinds?.includes(kind) ?? true) && outcome !== '-',
  ).length;
