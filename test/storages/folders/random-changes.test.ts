/** Random changes of people and projects: after each synchronisation the folders have exactly the rights of the projects. */
import { acquireSync } from '../../../src/actions/base/project-folder-queue/acquire-sync.js';
import { synchroniseFolders } from '../../../src/workers/folder-job.js';
import { startApp, type App } from '../../support/app.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { remotes, type FolderRemote } from './remotes.js';
import { ALL_RIGHTS, World } from './world.js';

const ROUNDS = 12;
const PEOPLE = ['ada', 'ben', 'cem', 'dia', 'eva', 'fay'];
const PROJECTS = ['red', 'blue', 'green'];

/** A small generator with a seed, so that a failure can be repeated (Park and Miller, 1988). */
function numbers(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

interface PersonModel {
  admin: boolean;
  locked: boolean;
  connected: boolean;
}
interface ProjectModel {
  isPublic: boolean;
  active: boolean;
  members: { [login: string]: string[] };
}

describe.each(Object.entries(remotes))('%s', (_type, start) => {
  let app: App;
  let remote: FolderRemote;
  beforeAll(async () => {
    remote = await start();
    app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true', ...remote.environment });
  });
  afterAll(async () => {
    await app?.stop();
    await remote?.close();
  });

  test.each([1, 2, 3])('seed %i', async (seed) => {
    const random = numbers(seed * 7_919);
    const chance = (percent: number) => random(100) < percent;
    const subset = () => ALL_RIGHTS.filter(() => chance(50));
    const world = await World.of(app, remote);
    const people = new Map<string, PersonModel>();
    const projects = new Map<string, ProjectModel>();
    let others: string[] = [];

    for (const login of PEOPLE)
      people.set(login, { admin: false, locked: false, connected: false });
    await world.people(...PEOPLE.map((login) => ({ login, connected: false })));
    for (const login of PEOPLE) remote.person(login);
    for (const name of PROJECTS) projects.set(name, { isPublic: false, active: true, members: {} });

    /** The rights of a person in a project by the rules of the product, from the model alone. */
    const expected = (login: string, name: string): string[] => {
      const person = people.get(login)!;
      const project = projects.get(name)!;
      if (!person.connected || person.locked || !project.active) return [];
      if (person.admin) return world.granted(ALL_RIGHTS);
      const own = project.members[login];
      return world.granted(own ?? (project.isPublic ? others : []));
    };
    const folderOf = (name: string) =>
      world.remote.folders().find((folder) => folder.name.startsWith(`${name} (`));
    const actual = (login: string, name: string): string[] => {
      const folder = folderOf(name);
      return folder ? remote.rights(login, folder.id) : [];
    };
    /** Also while the folder has no place yet. */
    const meanwhile = (login: string, name: string): string[] =>
      remote
        .everyFolder()
        .filter((folder) => folder.name.startsWith(`${name} (`))
        .flatMap(({ id }) => remote.rights(login, id));
    const pairs = PEOPLE.flatMap((login) => PROJECTS.map((name) => ({ login, name })));

    /** Changes people and projects, in the database and in the model. */
    async function change(): Promise<void> {
      for (const [login, person] of people) {
        if (chance(20)) person.admin = !person.admin;
        if (chance(20)) person.locked = !person.locked;
        if (!person.connected && chance(50)) {
          await world.connect(login);
          person.connected = true;
        }
      }
      await world.import({
        users: [...people].map(([login, { admin, locked }]) => ({
          login,
          firstName: login,
          lastName: '',
          admin,
          status: locked ? 'locked' : 'active',
        })),
      });
      if (chance(30)) others = subset();
      await world.import({
        roles: [{ name: 'Non member', permissions: others.map((right) => `${right}_files`) }],
      });
      for (const [name, project] of projects) {
        if (chance(25)) project.isPublic = !project.isPublic;
        if (chance(15)) project.active = !project.active;
        for (const login of PEOPLE) if (chance(40)) project.members[login] = subset();
        await world.project(name, {
          public: project.isPublic,
          active: project.active,
          members: project.members,
        });
      }
    }

    /** Checks after each call that nobody has a right which neither the old nor the new state gives. */
    async function watchedCycle(): Promise<void> {
      const before = new Map(
        pairs.map(({ login, name }) => [`${login} ${name}`, actual(login, name)]),
      );
      const { services } = app.running;
      const outbound = Object.create(services.outbound) as typeof services.outbound;
      outbound.send = async (...request) => {
        const answer = await services.outbound.send(...request);
        for (const { login, name } of pairs) {
          const allowed = [...before.get(`${login} ${name}`)!, ...expected(login, name)];
          const extra = meanwhile(login, name).filter((right) => !allowed.includes(right));
          if (extra.length > 0)
            leaks.push(
              `${request[1].method} ${request[1].url}: ${login} has ${String(extra)} in ${name}, not ${String(allowed)}`,
            );
        }
        return answer;
      };
      const leaks: string[] = [];
      const later = { ...services, outbound, clock: () => new Date(Date.now() + 6_000) };
      const row = await acquireSync(later);
      if (row) await synchroniseFolders(later, row, new AbortController().signal);
      expect(leaks).toEqual([]);
    }

    for (let round = 0; round < ROUNDS; round += 1) {
      await change();
      if (round === 0) for (const name of PROJECTS) await world.use(world.ids.get(name)!);
      await watchedCycle();
      expect({
        round,
        rights: pairs.map(({ login, name }) => [login, name, actual(login, name)]),
      }).toEqual({
        round,
        rights: pairs.map(({ login, name }) => [login, name, expected(login, name)]),
      });
    }
    remote.check();
  });
});
