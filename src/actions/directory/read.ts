/** Reads the rows of a directory file one chunk at a time, so that a file of any size needs little memory. */
import { JSONParser } from '@streamparser/json';

export interface FoundRow {
  /** Where it stands, e.g. `projects[0].workPackages[3]`. */
  path: string;
  /** The indexes on the way, outermost first: `[0, 3]`. */
  indexes: number[];
  value: unknown;
}

/** Opens the same file from its start each time it is called. */
export type OpenFile = () => AsyncIterable<Uint8Array>;

export class MalformedFile extends Error {}

/**
 * Yields the rows that match one of the patterns, in the order of the file, a chunk's worth at a time.
 * @param patterns e.g. `$.users.*`
 * @throws MalformedFile for anything but one JSON object
 */
export async function* readRows(open: OpenFile, patterns: string[]): AsyncGenerator<FoundRow[]> {
  const parser = new JSONParser({ paths: patterns, keepStack: false });
  let found: FoundRow[] = [];
  parser.onValue = ({ value, key, stack }) => {
    const keys = [...stack.slice(1).map((element) => element.key), key];
    found.push({ path: pathOf(keys), indexes: keys.filter((one) => typeof one === 'number'), value });
  };
  try {
    for await (const chunk of open()) {
      parser.write(chunk);
      if (found.length === 0) continue;
      yield found;
      found = [];
    }
    if (!parser.isEnded) parser.end();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code) throw error;
    throw new MalformedFile(`The file is not valid JSON: ${(error as Error).message}`);
  }
  if (found.length > 0) yield found;
}

const pathOf = (keys: (string | number | undefined)[]) =>
  keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key ?? ''}`)).join('').replace(/^\./, '');
