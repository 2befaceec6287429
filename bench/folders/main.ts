/**
 * Measures synchronisations of project folders: 1,000 projects with 50 people each, 5,000 people in
 * all, and a file server that answers each call after 50 ms.
 */
import { startApp } from '../../test/support/app.js';
import { remotes } from '../../test/storages/folders/remotes.js';
import { World } from '../../test/storages/folders/world.js';

// The support of the tests gets the kind of database from the test runner.
Object.assign(globalThis, { DATABASE: 'sqlite' });

const PROJECTS = 1_000;
const MEMBERS = 50;
const PEOPLE = 5_000;
const ANSWER_MS = 50;

async function measure(type: keyof typeof remotes): Promise<void> {
  const remote = await remotes[type]();
  const app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true', ...remote.environment });
  try {
    const world = await World.of(app, remote);
    await world.people(...Array.from({ length: PEOPLE }, (_, index) => `p${index}`));
    await world.import({
      roles: [{ name: 'Reader', permissions: ['read_files'] }],
      projects: Array.from({ length: PROJECTS }, (_, index) => projectOf(index)),
    });
    const { read, write } = app.running.services.db;
    const projects: { id: number }[] = await read('projects').select('id').orderBy('id');
    for (const { id } of projects)
      await app.given.projectStorage({ id }, world.storage, { mode: 'automatic' });
    await write('folder_syncs').insert({
      storage_id: world.storage.id,
      due_at: new Date(0).toISOString(),
      unknown_people: '{}',
      hidden_folders: '[]',
      foreign_folders: '[]',
      created_at: new Date(0).toISOString(),
      updated_at: new Date(0).toISOString(),
    });
    remote.server.fault({ delayMs: ANSWER_MS });
    const timed = async (name: string, work: () => Promise<number>) => {
      remote.server.forget();
      const began = performance.now();
      await work();
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stdout.write(
        `${type}: ${name}: ${seconds} s, ${remote.server.requests.length} calls\n`,
      );
    };
    await timed('first synchronisation', () => world.cycle());
    await timed('nothing changed', () => world.hour());
    await world.import({
      projects: Array.from({ length: 200 }, (_, index) => projectOf(index, MEMBERS)),
    });
    await timed('10,000 memberships changed', () => world.hour());
    await timed('nothing changed', () => world.hour());
    remote.check();
  } finally {
    await app.stop();
    await remote.close();
  }
}

/** @param without so many of its people lose the role */
const projectOf = (index: number, without = 0) => ({
  identifier: `project-${index}`,
  name: `Project ${index}`,
  public: false,
  memberships: Array.from({ length: MEMBERS }, (_, member) => ({
    user: `p${(index * MEMBERS + member) % PEOPLE}`,
    roles: member < without ? [] : ['Reader'],
  })),
});

for (const type of ['SelfHostedFileServer', 'CloudDrive'] as const) await measure(type);
