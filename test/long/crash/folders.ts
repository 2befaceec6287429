/** Kills `moorage folders sync` at a call to the storage. The next synchronisation must end as an undisturbed one. */
import { isDeepStrictEqual } from 'node:util';
import { environmentOf, Command } from '../../support/cli.js';
import { startIn, TEST_SECRET_KEY } from '../../support/app.js';
import { pictureOf, prepareFiveProjects } from '../../storages/folders/five-projects.js';
import { remotes, type FolderRemote } from '../../storages/folders/remotes.js';
import { World } from '../../storages/folders/world.js';
import type { Random } from './random.js';

/** Before the storage performs the call, or after that and before it answers. */
const moments = ['before', 'after'] as const;
type Moment = (typeof moments)[number];

interface Attempt {
  call: number;
  moment: Moment;
}

export interface FolderKills {
  folder: string;
  databaseUrl: string;
  /** For each type of storage. All calls at both moments if there are fewer. */
  kills: number;
  random: Random;
  /** Takes the outcome of each kill. */
  report(ok: boolean, text: string): void;
}

export async function killSynchronisations(given: FolderKills): Promise<void> {
  for (const type of Object.keys(remotes) as (keyof typeof remotes)[]) await attack(type, given);
}

async function attack(
  type: keyof typeof remotes,
  { folder, databaseUrl, kills, random, report }: FolderKills,
): Promise<void> {
  const remote = await remotes[type]();
  const environment = {
    STORAGE_ALLOW_PRIVATE: 'true',
    SECRET_KEY: TEST_SECRET_KEY,
    ...remote.environment,
  };
  const app = await startIn(folder, {
    DATABASE_URL: databaseUrl,
    BLOB_STORE: `disk:${folder}/blobs`,
    PORT: '0',
    BACKGROUND_WORK: 'false',
    ...environment,
  });
  try {
    const prepare = async () => {
      const world = await World.of(app, remote);
      await prepareFiveProjects(world);
      return world;
    };
    const start = () => new Command(['folders', 'sync'], { ...environmentOf(app), ...environment });

    const undisturbed = await prepare();
    const { status, stderr } = await start().outcome;
    if (status !== 0) throw new Error(stderr);
    const calls = remote.server.requests.length;
    const expected = pictureOf(undisturbed);

    for (const attempt of chosen(calls, kills, random)) {
      const world = await prepare();
      const wasKilled = await killAt(remote, attempt, start);
      remote.server.repair();
      await world.hour();
      const found = pictureOf(world);
      const ok = isDeepStrictEqual(found, expected);
      report(
        ok,
        `${type}: ${wasKilled ? 'killed' : 'ended'} ${attempt.moment} call ${attempt.call} of ${calls}: ` +
          (ok ? 'the folders are in step' : `VIOLATED\n  ${JSON.stringify({ found, expected })}`),
      );
    }
    remote.check();
  } finally {
    await app.running.stop();
    await remote.close();
  }
}

function chosen(calls: number, kills: number, random: Random): Attempt[] {
  const all = Array.from({ length: calls }, (_, index) =>
    moments.map((moment): Attempt => ({ call: index + 1, moment })),
  ).flat();
  while (all.length > kills) all.splice(random.integer(all.length), 1);
  return all;
}

/** @returns false if the command needed fewer calls, because calls at the same time differ in their order */
async function killAt(
  remote: FolderRemote,
  { call, moment }: Attempt,
  start: () => Command,
): Promise<boolean> {
  let calls = 0;
  let arrive!: () => void;
  const arrival = new Promise<boolean>((resolve) => (arrive = () => resolve(true)));
  const never = new Promise<void>(() => undefined);
  remote.server.fault(
    moment === 'before' ? { hold: () => (arrive(), never) } : { unanswered: arrive },
    () => (calls += 1) === call,
  );
  // What comes at the same time is performed, but not answered after the kill.
  const command = start();
  const wasKilled = await Promise.race([arrival, command.outcome.then(() => false)]);
  command.signal('SIGKILL');
  await command.outcome;
  return wasKilled;
}
