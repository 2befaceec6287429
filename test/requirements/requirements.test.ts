/** The ledger of the interface: every promise has a source file and a proof, and both exist. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interfacePage } from '../../scripts/interface-page.js';
import { cellsMeant, titlesMeant } from './row.js';
import { rows } from './rows/index.js';
import { titlesBelow, titlesOf } from './titles.js';
import { describe, expect, test } from '../support/jest.js';

/** Ids of the rows without a test. Each row gives the reason. */
const GAPS: readonly string[] = [];

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const titles = titlesBelow(at('test'));

describe('the titles of tests', () => {
  test('are read with their groups, once for all cases of a test', () => {
    expect(
      titlesOf(`
      test('alone', () => undefined);
      describe.each(kinds)('a %s', (kind) => {
        test.each(['x', 'y'])('%s works', async (name) => { expect(['test', name]).toBeDefined(); });
        describeS3('stored', () => { if (kind) { test(\`is \${kind}\`, () => undefined); } });
      });
      for (const one of all) test(nameOf(one), () => undefined);
      notATest('that');
      test.each([['each case']])('the %s', () => undefined);
    `),
    ).toEqual(['alone', 'a %s › %s works', 'a %s › stored › is %s', 'the %s']);
  });

  test('are found in test files and in files that define tests for others', () => {
    const files = new Set(titles.map(({ file }) => file));
    expect(
      [
        'api/attachments/attachments.test.ts',
        'storages/connection-contract.ts',
        'unit/blobs/contract.ts',
      ].filter((file) => !files.has(file)),
    ).toEqual([]);
  });
});

describe('the rows', () => {
  test('have unique ids', () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('cover every section of the interface, and D1 to D6', () => {
    const sections = [
      '1',
      '2.1',
      '2.2',
      '2.3',
      '2.4',
      '2.5',
      '2.6',
      '2.7',
      '2.8',
      '2.9',
      '2.10',
      '3',
      '4.1',
      '4.2',
      '4.3',
      '4.4',
      '4.5',
      '5',
      '6',
      '7',
      '8',
      '9',
      'D1',
      'D2',
      'D3',
      'D4',
      'D5',
      'D6',
    ];
    expect([...new Set(rows.map(({ section }) => section))]).toEqual(sections);
  });

  test('name source files that exist', () => {
    expect(
      rows
        .filter(({ source }) => !existsSync(at(`src/${source}`)))
        .map(({ id, source }) => `${id}: ${source}`),
    ).toEqual([]);
  });

  test('name exactly one test with each proof, or operations with cells in the matrix', () => {
    const wrong = rows.flatMap(({ id, proofs }) =>
      proofs.flatMap((proof) => {
        if ('words' in proof)
          return titlesMeant(proof, titles).length === 1
            ? []
            : [
                `${id}: ${titlesMeant(proof, titles).length} tests of ${proof.file} have the words "${proof.words}"`,
              ];
        return proof.operations
          .filter((operation) => cellsMeant({ ...proof, operations: [operation] }) === 0)
          .map((operation) => `${id}: no cell of ${operation}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('have a test, or are listed here as a gap and give the reason', () => {
    const bare = rows.filter(({ proofs }) => proofs.length === 0);
    expect(bare.map(({ id }) => id)).toEqual(GAPS);
    expect(bare.filter(({ gap }) => !gap)).toEqual([]);
    if (bare.length > 0)
      console.warn(`${bare.length} of ${rows.length} rows of the interface have no test.`);
  });
});

test('docs/reference/generated/interface.md is up to date: npm run generate', () => {
  expect(readFileSync(at('docs/reference/generated/interface.md'), 'utf8')).toBe(interfacePage());
});
