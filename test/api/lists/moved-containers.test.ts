/** Files are found in the project to which an import has moved their container. */
import { Readable } from 'node:stream';
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ login: 'boss', admin: true });
});
afterAll(() => app?.stop());

const roof = {
  ref: 'roof',
  subject: 'Roof',
  author: 'boss',
  activities: [{ ref: 'note', author: 'boss', comment: 'See the file.' }],
};
const taken = (directory: object) =>
  importDirectory(app.running.services, () => Readable.from([JSON.stringify(directory)]));
const placedIn = (project: 'depot' | 'harbour') =>
  taken({
    projects: ['depot', 'harbour'].map((identifier) => ({
      identifier,
      name: identifier,
      workPackages: identifier === project ? [roof] : [],
    })),
  });
const found = async (person: Person): Promise<string[]> => {
  const { data } = await app.graphql('{ attachments { nodes { fileName } } }', {}, person);
  return data.attachments.nodes.map(({ fileName }: { fileName: string }) => fileName).sort();
};

test('who sees the new project finds them, and who sees the old one only does not', async () => {
  const { given, running } = app;
  const ids = await placedIn('depot');
  const [depot, harbour] = ['depot', 'harbour'].map((name) => ({ id: ids.projects[name]! }));
  const old = await given.member(depot!, ['view_work_packages']);
  const other = await given.member(harbour!, ['view_work_packages']);
  const add = (kind: 'WorkPackage' | 'Activity', id: number, fileName: string) =>
    given.attachment({
      container: { kind, id, projectId: depot!.id } as ContainerHandle,
      author: admin,
      fileName,
    });
  await add('WorkPackage', ids.workPackages['roof']!, 'plan.txt');
  const late = await add('Activity', ids.activities['note']!, 'photo.txt');
  expect([await found(old), await found(other)]).toEqual([['photo.txt', 'plan.txt'], []]);
  await placedIn('harbour');
  expect([await found(old), await found(other)]).toEqual([[], ['photo.txt', 'plan.txt']]);

  // As an upload leaves it that began before the import and ended in the midst of it.
  await late.$query(running.services.db.write).patch({ projectId: depot!.id });
  expect([await found(old), await found(other)]).toEqual([[], ['plan.txt']]);
  await taken({});
  expect([await found(old), await found(other)]).toEqual([[], ['photo.txt', 'plan.txt']]);
});
