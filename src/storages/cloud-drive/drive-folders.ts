/** Reads and changes the folders of projects at the root of a drive, as the application. */
import type { Access } from '../adapter.js';
import { failureOf, isUnauthorized, StorageFailure } from '../failure.js';
import {
  demandThere,
  managedFolders,
  PeopleRefused,
  problems,
  type DriveRole,
  type FolderStep,
  type PermissionChange,
  type Wanted,
} from '../managed-folders.js';
import { at, jsonObject } from '../json.js';
import { driveRefuses, itemAt } from './address.js';
import { askAll, inParts, type PartialAnswer, type PartialRequest } from './batch.js';
import { ask } from './client.js';
import { isFolder } from './item.js';
import { nextPath, PAGE, pagesOf } from './pages.js';
import {
  folderName,
  planFolders,
  type DirectPermission,
  type DriveEntry,
  type FoundDrive,
} from './plan-folders.js';

const ENTRY_FIELDS = 'id,name,folder,package,remoteItem,createdBy';
/** Folders whose permissions are read together: four batches of twenty. */
const READ_TOGETHER = 80;

async function read(access: Access, { folders, settled, unwanted }: Wanted): Promise<FoundDrive> {
  const entries = await demandThere(
    readEntries(access),
    'The storage has no such drive, or hides it. Check the drive id, and the rights of the service.',
  );
  const present = new Set(entries.map(({ id }) => id));
  const missing = folders.flatMap(({ id }) => (id !== null && !present.has(id) ? [id] : []));
  const unsettled = entries.filter(
    ({ id, isFolder: is }) => is && !settled.has(id) && !unwanted.includes(id),
  );
  return {
    entries,
    ...(await permissionsOf(
      access,
      unsettled.map(({ id }) => id),
    )),
    elsewhere: await elsewhere(access, missing),
  };
}

/** Lists the root of the drive. @throws StorageFailure */
export async function readEntries(access: Access): Promise<DriveEntry[]> {
  const entries: DriveEntry[] = [];
  const path = `${itemAt(access, '/', 'children')}?$top=${PAGE}&$select=${ENTRY_FIELDS}`;
  for await (const rows of pagesOf(access, path))
    for (const row of rows)
      entries.push({
        id: textAt(row, 'id'),
        name: textAt(row, 'name'),
        isFolder: isFolder(row),
        isOurs:
          access.applicationId !== undefined &&
          at(row, 'createdBy', 'application', 'id') === access.applicationId &&
          // Otherwise a person made it with a form of this service.
          at(row, 'createdBy', 'user', 'id') === undefined,
      });
  return entries;
}

function textAt(row: unknown, member: string): string {
  const value = at(row, member);
  if (typeof value === 'string' && value !== '') return value;
  throw new StorageFailure('unexpected', 200, `The storage listed a file without ${member}.`);
}

async function permissionsOf(
  access: Access,
  ids: readonly string[],
): Promise<Pick<FoundDrive, 'permissions' | 'unreadable'>> {
  const permissions = new Map<string, DirectPermission[]>();
  const unreadable = new Set<string>();
  for (const some of inParts(ids, READ_TOGETHER)) {
    const answers = await askEach(access, some, (id) => ({
      path: itemAt(access, id, 'permissions'),
    }));
    for (const [id, answer] of answers) {
      const rows = await allRows(access, answer);
      if (rows instanceof StorageFailure) {
        // 404: somebody removed it after it was listed. The next time it is not listed.
        if (rows.status !== 404) unreadable.add(id);
      } else permissions.set(id, directPermissions(rows));
    }
  }
  return { permissions, unreadable };
}

/** The permissions of one folder. Its failure stops no other folder. */
async function allRows(access: Access, answer: PartialAnswer): Promise<unknown[] | StorageFailure> {
  if (answer.status === 401) throw failureOf(401);
  if (answer instanceof StorageFailure) return answer;
  if (answer.status !== 200) return failureOf(answer.status);
  const rows = at(answer.body, 'value');
  if (!Array.isArray(rows)) return failureOf(200);
  try {
    const next = nextPath(access, at(answer.body, '@odata.nextLink'));
    for await (const more of pagesOf(access, next)) rows.push(...more);
    return rows as unknown[];
  } catch (error) {
    if (error instanceof StorageFailure && !isUnauthorized(error)) return error;
    throw error;
  }
}

/** Leaves out owners, links, and what comes from the folder above. */
function directPermissions(rows: readonly unknown[]): DirectPermission[] {
  return rows.flatMap((row) => {
    const roles = at(row, 'roles');
    const id = at(row, 'id');
    const user = at(row, 'grantedToV2', 'user', 'id');
    const group = at(row, 'grantedToV2', 'group', 'id');
    const isDirect = at(row, 'inheritedFrom') === undefined && at(row, 'link') === undefined;
    if (!isDirect || !Array.isArray(roles) || roles.includes('owner') || typeof id !== 'string')
      return [];
    if (typeof user !== 'string' && typeof group !== 'string') return [];
    const role: DriveRole = roles.includes('write') ? 'write' : 'read';
    return [{ id, person: typeof user === 'string' ? user : null, role }];
  });
}

/** The ids that still exist: a person moved the folders away. */
async function elsewhere(access: Access, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const [id, answer] of await askEach(access, ids, (one) => ({
    path: `${itemAt(access, one)}?$select=id`,
  }))) {
    if (answer.status === 401) throw failureOf(401);
    // After another failure the folder may be there, so no second one is made.
    if (answer.status !== 404) found.add(id);
  }
  return found;
}

/** As `askAll`. The token can end inside a batch: refused parts are sent once more with a new one. */
async function askEach<T>(
  access: Access,
  items: readonly T[],
  requestOfItem: (item: T) => PartialRequest,
): Promise<[T, PartialAnswer][]> {
  const answers = await askAll(access, items, requestOfItem);
  const refused = answers.flatMap(([item, { status }]) => (status === 401 ? [item] : []));
  if (refused.length === 0 || !access.refused) return answers;
  await access.refused();
  const again = new Map(await askAll(access, refused, requestOfItem));
  return answers.map(([item, answer]) => [item, again.get(item) ?? answer]);
}

async function perform(
  access: Access,
  step: FolderStep,
  idOf: (key: number) => string | undefined,
): Promise<string | undefined> {
  switch (step.kind) {
    case 'adopt':
      return step.id;
    case 'create':
      return createAtRoot(access, step.name);
    case 'rename':
      return rename(access, step.id, step.to);
    case 'change_permissions': {
      const id = step.id ?? (step.key === undefined ? undefined : idOf(step.key));
      if (id === undefined) throw new Error(`The folder ${step.name} was not made.`);
      return changePermissions(access, id, step.changes);
    }
    case 'delete':
      return removeItem(access, step.id);
    default:
      throw new Error(`A drive has no step ${step.kind}.`);
  }
}

export async function createAtRoot(access: Access, name: string): Promise<string> {
  const answer = await ask(access, {
    path: itemAt(access, '/', 'children'),
    body: { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' },
  });
  demandName(answer.status, name);
  if (answer.status !== 201) throw failureOf(answer.status);
  return textAt(await jsonObject(answer), 'id');
}

async function rename(access: Access, id: string, to: string): Promise<undefined> {
  const { status } = await ask(access, {
    method: 'PATCH',
    path: itemAt(access, id),
    body: { name: to, '@microsoft.graph.conflictBehavior': 'fail' },
  });
  demandName(status, to);
  if (status !== 200) throw failureOf(status);
}

function demandName(status: number, name: string): void {
  if (status === 409) throw new StorageFailure('nameRefused', 409, problems.taken(name));
  if (status === 400) throw driveRefuses(name);
}

/** One unknown person makes the drive refuse an invitation. Then each is invited alone. */
async function changePermissions(
  access: Access,
  id: string,
  changes: readonly PermissionChange[],
): Promise<undefined> {
  const refused = await send(access, id, changes);
  const alone = refused.flatMap(({ role, people }) =>
    people.length === 1
      ? []
      : people.map((person): PermissionChange => ({ kind: 'invite', role, people: [person] })),
  );
  const unknown = [
    ...refused.filter(({ people }) => people.length === 1),
    ...(await send(access, id, alone)),
  ].flatMap(({ people }) => people);
  if (unknown.length > 0)
    throw new PeopleRefused(unknown, `The storage does not know ${unknown.join(', ')}.`);
}

type Invitation = Extract<PermissionChange, { kind: 'invite' }>;

/** @returns invitations that the drive refuses. All other changes are done. */
async function send(
  access: Access,
  id: string,
  changes: readonly PermissionChange[],
): Promise<Invitation[]> {
  const answers = await askEach(access, changes, (change) => requestOf(access, id, change));
  const refused: Invitation[] = [];
  for (const [change, answer] of answers) {
    if (answer instanceof StorageFailure) throw answer;
    const { status } = answer;
    // What is gone already needs no change.
    if (isSuccess(status) || (change.kind === 'revoke' && status === 404)) continue;
    if (change.kind !== 'invite' || status !== 400) throw failureOf(status);
    refused.push(change);
  }
  return refused;
}

function requestOf(access: Access, id: string, change: PermissionChange): PartialRequest {
  if (change.kind === 'invite')
    return {
      path: itemAt(access, id, 'invite'),
      body: {
        requireSignIn: true,
        sendInvitation: false,
        roles: [change.role],
        recipients: change.people.map((objectId) => ({ objectId })),
      },
    };
  const path = itemAt(access, id, `permissions/${encodeURIComponent(change.permission)}`);
  return change.kind === 'revoke'
    ? { method: 'DELETE', path }
    : { method: 'PATCH', path, body: { roles: [change.role] } };
}

export async function removeItem(access: Access, id: string): Promise<undefined> {
  const { status } = await ask(access, { method: 'DELETE', path: itemAt(access, id) });
  if (!isSuccess(status) && status !== 404) throw failureOf(status);
}

const isSuccess = (status: number): boolean => status === 200 || status === 204;

export const driveFolders = managedFolders<FoundDrive>({
  nameOf: folderName,
  read,
  plan: planFolders,
  perform,
});
