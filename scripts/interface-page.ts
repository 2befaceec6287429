/** `docs/reference/generated/interface.md`: every promise of the interface, with its source file and the tests that prove it. */
import { fileURLToPath } from 'node:url';
import { rows } from '../test/requirements/rows/index.js';
import { cellsMeant, titlesMeant, type Cells, type Row } from '../test/requirements/row.js';
import { titlesBelow, type Title } from '../test/requirements/titles.js';

const MATRIX = 'permissions/permissions.test.ts';

const HEAD = `<!-- Generated from test/requirements and the titles of the tests: npm run generate -->
# Promises and their tests

Each row is one promise of the interface: where the code keeps it, and which tests check it.

- Sections are those of the description of the interface. D1 to D6 are decisions where it leaves something open.
- \`%s\` in a title stands for one case of several.
- Cells belong to the permission test. It combines operations, kinds of resources and callers over each protocol.
`;

export function interfacePage(): string {
  const titles = titlesBelow(fileURLToPath(new URL('../test', import.meta.url)));
  const gaps = rows.filter(({ gap }) => gap !== undefined).length;
  const lines = rows.map(
    (row) =>
      `| ${[row.section, ...[row.id.slice(row.section.length + 1), row.what].map(escaped), sourceOf(row), proofsOf(row, titles)].join(' | ')} |`,
  );
  return `${HEAD}\n${rows.length} rows, ${gaps} without a test.\n\n| Section | Promise | What | Source | Tests |\n|---|---|---|---|---|\n${lines.join('\n')}\n\n${definitions().join('\n')}\n`;
}

const escaped = (text: string): string => text.replaceAll(/[\\|<>*_`[\]]/g, '\\$&');
/** Links are defined once, below the table. */
const sourceOf = ({ source }: Row): string => `[${source}]`;

/** Each test file once, with all titles of its proofs. */
function proofsOf({ proofs, gap }: Row, titles: readonly Title[]): string {
  if (gap !== undefined) return `no test: ${escaped(gap)}`;
  const proofsByFile = new Map<string, string[]>();
  for (const proof of proofs) {
    const file = 'words' in proof ? proof.file : MATRIX;
    proofsByFile.set(file, [
      ...(proofsByFile.get(file) ?? []),
      'words' in proof ? titlesMeant(proof, titles).map(escaped).join(', ') : cellsOf(proof),
    ]);
  }
  return [...proofsByFile].map(([file, all]) => `[${file}]: ${all.join('; ')}`).join('<br>');
}

const cellsOf = (cells: Cells): string =>
  `${cellsMeant(cells)} cells of ${cells.operations.map(escaped).join(', ')}${cells.kinds ? `, of ${cells.kinds.join(', ')}` : ''}`;

function definitions(): string[] {
  const sources = rows.map(({ source }) => `[${source}]: ../../../src/${source}`);
  const tests = rows
    .flatMap(({ proofs }) => proofs.map((proof) => ('words' in proof ? proof.file : MATRIX)))
    .map((file) => `[${file}]: ../../../test/${file}`);
  return [...new Set([...sources, ...tests])].sort();
}
