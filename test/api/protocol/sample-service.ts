/** A service with one row of each kind, and users who see different parts of it. */
import type { App } from '../../support/app.js';
import { kinds, type Person } from '../../support/factories.js';
import { linkIn, type Stocked } from '../../storages/storages-with-files.js';

const viewing = [
  'view_work_packages',
  'view_meetings',
  'view_messages',
  'view_wiki_pages',
  'view_file_links',
];
const everything = [
  ...viewing,
  'add_work_packages',
  'edit_work_packages',
  'add_work_package_comments',
  'view_internal_comments',
  'edit_meetings',
  'edit_messages',
  'edit_wiki_pages',
  'manage_file_links',
  'manage_files_in_project',
];

export interface Inhabited {
  people: { admin: Person; member: Person; anonymous: undefined };
  /** Addresses without a link in the API: clients get them from the pages around it. */
  starts: string[];
  /** Those of the member's unclaimed attachments and file links, which only the member can view. */
  own: string[];
}

/**
 * A public project in which anonymous users can view everything, and its storages, to which admin and member are
 * connected.
 */
export async function peopleOf(app: App, remotes: readonly Stocked[]): Promise<Inhabited> {
  const { given } = app;
  const project = await given.project({ isPublic: true });
  await given.role(viewing, 'Anonymous');
  const admin = await given.user({ admin: true });
  const member = await given.member(project, everything);
  const people = { admin, member, anonymous: undefined };

  const containers = await Promise.all(kinds.map((kind) => given.container(kind, project, member)));
  const workPackage = containers[0]!;
  for (const container of containers) await given.attachment({ container, author: member });
  await given.comment(workPackage, admin, { internal: true });
  await given.attachment({ container: workPackage, author: member, status: 'quarantined' });
  const comment = containers.find(({ kind }) => kind === 'Activity')!;
  for (const [person, read] of [
    [member, false],
    [admin, true],
  ] as const)
    await given.notification(person, workPackage, admin, { read, activityId: comment.id });
  const unclaimed = await given.attachment({ author: member });

  const storages: { id: number }[] = [];
  for (const [at, remote] of remotes.entries()) {
    const storage = await given.storage(remote.storage);
    storages.push(storage);
    const folder = remote.folder('/Plans');
    await given.projectStorage(
      project,
      storage,
      at === 0 ? { mode: 'manual', folderId: folder } : {},
    );
    for (const person of [admin, member])
      await given.storageTokens(person, storage, {
        ...remote.grant(),
        originUserId: remote.userId,
      });
    await linkIn(
      app,
      { person: member, workPackage },
      storage,
      remote.file('/Plans/plan.txt', { content: 'x' }),
    );
  }
  const free = await linkIn(
    app,
    { person: member, workPackage: null },
    storages[0]!,
    remotes[0]!.file('/Plans/free.txt', { content: 'x' }),
  );
  // A storage to which no user is connected.
  await given.projectStorage(
    project,
    await given.storage({
      client: { id: 'ours', secret: 'secret' },
      origin: `${remotes[0]!.server.url}/elsewhere`,
    }),
  );
  const own = [`/api/v3/attachments/${unclaimed.id}`, `/api/v3/file_links/${free}`];
  return { people, starts: [...containers.map(({ path }) => path), ...own], own };
}
