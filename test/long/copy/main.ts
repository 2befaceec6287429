/**
 * `npm run test:copy [-- --kills 30 --rows 20000 --seed 1]`: kills `moorage copy-to` with SIGKILL, many times. The same
 * command must then go on, and make the same copy as without a kill: from SQLite to PostgreSQL and back.
 * `--kills 0 --rows 1000000` only measures.
 */
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { insertRows } from '../../../src/database/copy/rows.js';
import { migrate } from '../../../src/database/migrations.js';
import { openServices } from '../../../src/services.js';
import { TEST_SECRET_KEY } from '../../support/app.js';
import { Command, type Outcome } from '../../support/cli.js';
import { factories } from '../../support/factories.js';
import { startPostgres } from '../../support/postgres.js';
import { Random } from '../crash/random.js';
import { freshDatabase } from '../fresh-database.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '30' },
    rows: { type: 'string', default: '20000' },
    seed: { type: 'string' },
  },
});
const kills = Number(values.kills);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const random = new Random(seed);

/** Kills of one copy before it may end. */
const KILLS_OF_ONE = 3;
const SLICE = 10_000;

type Kind = 'sqlite' | 'postgres';

const folder = mkdtempSync(join(tmpdir(), 'moorage-copy-'));
const postgres = await startPostgres();
const places = { folder, postgresUrl: postgres.url };
let passed = 0;
let failed = 0;
try {
  const first = await freshDatabase('sqlite', 'first', places);
  await fill(first);
  process.stdout.write(`${values.rows} attachments, seed ${seed}\n`);
  const second = await attack(first, 'postgres');
  await attack(second, 'sqlite');
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${passed} passed, ${failed} failed, 0 skipped\n`);
process.exit(failed > 0 || (kills > 0 && passed === 0) ? 1 : 0);

/** @returns a copy that was not interrupted */
async function attack(source: string, kind: Kind): Promise<string> {
  const whole = await freshDatabase(kind, `${kind}_whole`, places);
  const began = Date.now();
  const expected = tablesOf(await copy(source, whole).outcome);
  const ms = Date.now() - began;
  process.stdout.write(`to ${kind}: ${(ms / 1000).toFixed(1)} s without a kill\n`);
  for (let kill = 0; kill < kills / 2; kill += KILLS_OF_ONE) {
    const target = await freshDatabase(kind, `${kind}_${kill}`, places);
    const points: number[] = [];
    for (let more = 0; more < Math.min(KILLS_OF_ONE, Math.ceil(kills / 2) - kill); more += 1) {
      points.push(random.integer(ms));
      const command = copy(source, target);
      await Promise.race([sleep(points.at(-1)), command.outcome]);
      command.signal('SIGKILL');
      await command.outcome;
    }
    const outcome = await copy(source, target).outcome;
    const name = `to ${kind}, killed after ${points.join(', ')} ms`;
    // It had ended before the last kill. Another copy of the copy reads its rows.
    const ended = outcome.stderr.includes('The target is not empty');
    const checked = ended
      ? await copy(target, await freshDatabase('sqlite', `${kind}_${kill}_read`, places)).outcome
      : outcome;
    const equal = tablesOf(checked) === expected;
    if (equal) passed += 1;
    else failed += 1;
    process.stdout.write(`${name}: ${equal ? 'equal' : `NOT EQUAL\n${outcome.stderr}`}\n`);
  }
  return whole;
}

function copy(source: string, target: string): Command {
  return new Command(['copy-to', target, '--json'], {
    DATABASE_URL: source,
    SECRET_KEY: TEST_SECRET_KEY,
  });
}

/** The tables with their rows and digests, as text. @throws Error if the copy failed */
function tablesOf({ status, stdout, stderr }: Outcome): string {
  if (status !== 0) throw new Error(`copy-to ended with ${status}: ${stderr}`);
  return JSON.stringify((JSON.parse(stdout) as { tables: unknown }).tables);
}

/** Projects below later ones, work packages that searches find, comments, and many attachments. */
async function fill(url: string): Promise<void> {
  const services = openServices(
    readConfig({
      DATABASE_URL: url,
      SECRET_KEY: TEST_SECRET_KEY,
      BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    }),
    pino({ level: 'silent' }),
  );
  const { db } = services;
  try {
    await migrate(db);
    const given = factories(services);
    const author = await given.user();
    const project = await given.project();
    const container = await given.workPackage(project, author, 'Brücke');
    await given.comment(container, author);
    await given.attachment({ container, author, blob: false });
    const rows = Number(values.rows);
    await multiply('projects', Math.ceil(rows / 100), (id) => ({ identifier: `p${id}` }));
    await db
      .write('projects')
      .update({ parent_id: db.write.raw('id + 1') })
      .whereRaw('id % 7 = 0');
    await multiply('work_packages', Math.ceil(rows / 10), () => ({ ref: null }));
    await multiply('activities', Math.ceil(rows / 10), () => ({ ref: null }));
    await multiply('attachments', rows, (id) => ({
      blob_key: `key-${id}`,
      file_name: `Datei ${id}.txt`,
    }));
  } finally {
    await services.close();
  }

  async function multiply(name: string, count: number, changes: (id: number) => object) {
    const row = await db.read(name).first();
    for (let at = row.id + 1; at <= count; at += SLICE)
      await insertRows(
        db,
        { name, columns: Object.keys(row) },
        Array.from({ length: Math.min(SLICE, count + 1 - at) }, (_, index) => ({
          ...row,
          id: at + index,
          ...changes(at + index),
        })),
      );
  }
}
