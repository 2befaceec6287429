/**
 * `npm run test:abuse:proofs [-- --seconds 60 --seed 1 --only "any number of fields"]`: takes back one limit at a time in a
 * copy of the checkout. The search must then fail.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bash, copyOfSources } from '../../packaging/checkout.js';
import { holes, type Hole } from './holes.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
  },
});

const chosen = holes.filter(({ name }) => values.only?.includes(name) ?? true);
const copy = copyOfSources();
let failed = 0;
try {
  for (const hole of chosen) {
    const found = await isFound(hole);
    if (!found) failed += 1;
    process.stdout.write(`${found ? 'found' : 'MISSED'}  ${hole.name}\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`\n${chosen.length - failed} passed, ${failed} failed, 0 skipped\n`);
process.exit(failed > 0 || chosen.length === 0 ? 1 : 0);

async function isFound({ way, changes }: Hole): Promise<boolean> {
  const before = new Map<string, string>();
  for (const { source, text, by } of changes) {
    const path = join(copy, 'src', source);
    const content = readFileSync(path, 'utf8');
    if (content.split(text).length !== 2) throw new Error(`${source} must contain once: ${text}`);
    if (!before.has(path)) before.set(path, content);
    writeFileSync(
      path,
      content.replace(text, () => by),
    );
  }
  const { stdout, stderr } = await bash(
    `npx tsx test/long/abuse/main.ts --seconds ${values.seconds} --seed ${values.seed} --way "${way}"`,
    copy,
    // tsx would look for it in the folder of this process.
    { TSX_TSCONFIG_PATH: join(copy, 'tsconfig.json') },
  );
  for (const [path, content] of before) writeFileSync(path, content);
  const verdict = /^(FAILED|passed) {2}/m.exec(stdout)?.[1];
  // A server that ends because of one request is a find, too.
  if (verdict === undefined && !stderr.includes('The server has ended'))
    throw new Error(`The search did not run: ${stderr}`);
  process.stdout.write(`${stdout.split('\n').slice(1, 3).join('\n').slice(0, 300)}\n`);
  return verdict !== 'passed';
}
