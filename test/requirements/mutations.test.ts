/** The lists of mutations and of holes still fit the sources, the ledger and the tests. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { holes } from '../long/abuse/holes.js';
import { mutated, nameOf, targetOf } from '../long/mutations/mutation.js';
import { mutations } from '../long/mutations/mutations.js';
import { expect, test } from '../support/jest.js';
import { rows } from './rows/index.js';
import { titlesBelow } from './titles.js';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const titles = titlesBelow(at('test'));

const problemsOf = (check: (mutation: (typeof mutations)[number]) => unknown): string[] =>
  mutations.flatMap((mutation) => {
    try {
      check(mutation);
      return [];
    } catch (error) {
      return [`${nameOf(mutation)}: ${(error as Error).message}`];
    }
  });

test('every mutation replaces text that its source has exactly once', () => {
  expect(
    problemsOf((mutation) => mutated(mutation, readFileSync(at(`src/${mutation.source}`), 'utf8'))),
  ).toEqual([]);
});

test('every limit that the search for costs takes back is in its source exactly once', () => {
  const changes = holes.flatMap((hole) => hole.changes.map((change) => ({ ...change, hole })));
  expect(
    changes
      .filter(
        ({ source, text }) => readFileSync(at(`src/${source}`), 'utf8').split(text).length !== 2,
      )
      .map(({ hole, source }) => `${hole.name}: ${source}`),
  ).toEqual([]);
});

test('every mutation names a row, a proof and a test that exist', () => {
  expect(
    problemsOf((mutation) => readFileSync(at(`test/${targetOf(mutation, titles).file}`), 'utf8')),
  ).toEqual([]);
});

test('the mutations belong to at least 60 rows, of every section', () => {
  const named = mutations.flatMap((mutation) => ('row' in mutation ? [mutation.row] : []));
  expect(named.filter((row, index) => named.indexOf(row) !== index)).toEqual([]);
  expect(named.length).toBeGreaterThanOrEqual(60);
  const mutatedRows = rows.filter(({ id }) => named.includes(id));
  const sections = new Set(mutatedRows.map(({ section }) => section));
  expect(
    [...new Set(rows.map(({ section }) => section))].filter((one) => !sections.has(one)),
  ).toEqual([]);
});
