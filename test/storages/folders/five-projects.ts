/** A storage with five projects and ten people, whose folders are partly out of step. */
import type { World } from './world.js';

const people = Array.from({ length: 10 }, (_, index) => `p${index}`);
const RIGHTS = [['read'], ['read', 'write'], ['read', 'write', 'create', 'delete', 'share']];

const members = (shift: number) =>
  Object.fromEntries(
    people.map((person, index) => [person, RIGHTS[(index + shift) % RIGHTS.length]!]),
  );

/** Two projects are new, one is renamed, one changes rights, and one is archived. */
export async function prepareFiveProjects(world: World): Promise<void> {
  await world.people(...people);
  for (const name of ['renamed', 'changed', 'archived'])
    await world.use(await world.project(name, { active: true, members: members(0) }));
  await world.cycle();
  await world.project('renamed', { name: 'Renamed', members: members(0) });
  await world.project('changed', { members: members(1) });
  await world.project('archived', { active: false });
  for (const name of ['new', 'newer'])
    await world.use(await world.project(name, { members: members(2) }));
  world.remote.server.forget();
}

type Picture = [folder: string, rights: { [person: string]: string[] }][];

/** All folders of the storage by their names without ids, each with the rights of the ten people. */
export const pictureOf = (world: World): Picture =>
  world.remote
    .folders()
    .map(({ id, name }): Picture[number] => [
      name.replace(/ \(\d+\)$/, ''),
      world.rights(id, people),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
