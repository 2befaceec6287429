/** Reads and changes the team folder of the companion app, as its user. */
import type { Access, Target } from '../adapter.js';
import { failureOf, nameRefused, StorageFailure } from '../failure.js';
import {
  demandThere,
  FoldersUnavailable,
  GroupRefused,
  managedFolders,
  PeopleRefused,
  problems,
  type FolderStep,
  type Wanted,
} from '../managed-folders.js';
import { at } from '../json.js';
import { nameAt } from '../parent.js';
import { folderAcl, SERVICE, topAcl, type AclEntry } from './acl.js';
import { basic } from './application-password.js';
import { capabilities } from './capabilities.js';
import { ocs, ocsCode } from './client.js';
import {
  child,
  encoded,
  escaped,
  locationOf,
  NAMESPACES,
  propertiesOf,
  readMultiStatus,
  request,
  text,
  treeOf,
} from './dav.js';
import { filesInfo } from './files-info.js';
import type { Element } from './multistatus.js';
import {
  folderName,
  planFolders,
  STAGING,
  type FoundTeamFolder,
  type TeamFolderEntry,
} from './plan-folders.js';

const TOP = `/${SERVICE}`;
const GROUP = encodeURIComponent(SERVICE);
const LISTING =
  `<?xml version="1.0"?><d:propfind ${NAMESPACES}><d:prop>` +
  '<oc:fileid/><d:resourcetype/><nc:acl-list/></d:prop></d:propfind>';
/** 1,000 folders with 50 people each have about 16 MiB. */
const LISTING_BYTES = 64 * 1024 * 1024;
/** One folder may have rules for thousands of people. */
const LARGE_RESPONSES = { elements: 200_000, text: 8 * 1024 * 1024 };
const MEMBERS_BYTES = 4 * 1024 * 1024;

const MULTI_STATUS = 207;
const CREATED = 201;
const NO_CONTENT = 204;
const INVALID_NAME = 400;
const EXISTS = 405;
const TARGET_EXISTS = 412;
/** Of OCS. */
const UNKNOWN_GROUP = 102;
const UNKNOWN_USER = 103;
const NOT_ADMINISTERED = 104;
/** Of a removal: it is the last group. Of an addition: the server failed. */
const LAST_GROUP = 105;
const FORBIDDEN = 403;

const pathOf = (name: string) => `${TOP}/${name}`;
const stagedPathOf = (name: string) => pathOf(`${STAGING}/${name}`);

async function read(access: Access, { folders, unwanted }: Wanted): Promise<FoundTeamFolder> {
  const top = await listing(access, TOP);
  if (!top) throw await whyMissing(access);
  const staging = top.entries.find(({ name }) => name === STAGING);
  const entries = top.entries.filter((entry) => entry !== staging);
  const there = new Set(entries.map(({ id }) => id));
  const ids = [...folders.map(({ id }) => id), ...unwanted];
  const staged =
    staging && ids.some((id) => id === null || !there.has(id))
      ? ((await listing(access, pathOf(STAGING)))?.entries ?? [])
      : [];
  const present = new Set([...there, ...staged.map(({ id }) => id)]);
  const missing = folders.flatMap(({ id }) => (id !== null && !present.has(id) ? [id] : []));
  const [members, elsewhere] = await Promise.all([
    demandThere(
      groupMembers(access),
      'The storage has no group OpenProject. Repeat the set-up of project folders in the ' +
        'integration app there.',
    ),
    outsideTeamFolder(access, missing),
  ]);
  return { topAcl: top.acl, entries, stagingAcl: staging?.acl, staged, members, elsewhere };
}

/** A folder of the service with its children. Undefined: it does not exist. */
async function listing(
  access: Access,
  path: string,
): Promise<{ acl: AclEntry[]; entries: TeamFolderEntry[] } | undefined> {
  const tree = treeOf(access, SERVICE);
  const answer = await request(access, 'PROPFIND', tree + encoded(path), {
    depth: 1,
    body: LISTING,
    maxBytes: LISTING_BYTES,
  });
  if (answer.status === 404) return undefined;
  let own: AclEntry[] | undefined;
  const entries: TeamFolderEntry[] = [];
  await readMultiStatus(
    answer,
    (response) => {
      const properties = propertiesOf(response);
      const id = text(properties, 'fileid');
      const location = locationOf(text(response, 'href') ?? '', tree);
      if (id === undefined || location === undefined) return;
      const acl = aclIn(properties);
      if (location === path) own = acl;
      else if (location.startsWith(`${path}/`))
        entries.push({
          id,
          name: nameAt(location),
          isFolder: child(child(properties, 'resourcetype'), 'collection') !== undefined,
          acl,
        });
    },
    LARGE_RESPONSES,
  );
  return own && { acl: own, entries };
}

const aclIn = (properties: Element | undefined): AclEntry[] =>
  (child(properties, 'acl-list')?.children ?? []).map((one) => ({
    type: text(one, 'acl-mapping-type') ?? '',
    id: text(one, 'acl-mapping-id') ?? '',
    mask: Number(text(one, 'acl-mask') ?? 0),
    permissions: Number(text(one, 'acl-permissions') ?? 0),
  }));

async function whyMissing(access: Access): Promise<FoldersUnavailable> {
  const { appVersion } = await capabilities(access);
  return new FoldersUnavailable(
    appVersion === undefined
      ? 'The integration app is switched off in the storage. Enable it there.'
      : 'The storage has no team folder OpenProject. Repeat the set-up of project folders in the ' +
          'integration app there.',
  );
}

async function groupMembers(access: Access): Promise<string[]> {
  const data = await ocs(access, `v1.php/cloud/groups/${GROUP}`, { maxBytes: MEMBERS_BYTES });
  const users = at(data, 'users');
  if (!Array.isArray(users))
    throw new StorageFailure('unexpected', 200, 'The storage did not list the group OpenProject.');
  return users.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
  );
}

/** The ids that still exist: a person moved the folders away. */
async function outsideTeamFolder(
  access: Access,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const outcomes = await filesInfo(access, ids);
  return new Set(
    ids.filter((id) => {
      const outcome = outcomes.get(id);
      if (!(outcome instanceof StorageFailure)) return true;
      // After another failure the folder may be there, so no second one is made.
      return outcome.kind !== 'notFound';
    }),
  );
}

async function perform(access: Access, step: FolderStep): Promise<string | undefined> {
  switch (step.kind) {
    case 'adopt':
      return step.id;
    case 'stage':
      return stage(access);
    case 'create':
      return create(access, step.name);
    case 'rename':
      return move(access, pathOf(step.from), step.to);
    case 'set_rights':
      return setAcl(access, pathTo(step), folderAcl(step.rights));
    case 'place':
      return move(access, stagedPathOf(step.from), step.name);
    case 'hide':
      return setAcl(access, pathOf(step.name), folderAcl(new Map()));
    case 'open_top':
      return setAcl(access, TOP, topAcl);
    case 'join':
    case 'leave':
      return changeMembership(access, step.kind, step.person);
    case 'delete':
      return remove(access, step.name);
    default:
      throw new Error(`A file server has no step ${step.kind}.`);
  }
}

const pathTo = ({ name, isStaged }: { name: string; isStaged?: true }): string =>
  isStaged ? stagedPathOf(name) : pathOf(name);

/** Makes the folder for new folders, and hides it before there is anything in it. */
async function stage(access: Access): Promise<undefined> {
  const { status } = await change(access, 'MKCOL', pathOf(STAGING));
  if (status !== CREATED && status !== EXISTS) throw failureOf(status);
  await setAcl(access, pathOf(STAGING), folderAcl(new Map()));
}

/** @returns the file id, from the header: a number with leading zeros, then the server's name */
async function create(access: Access, name: string): Promise<string> {
  const { status, headers } = await change(access, 'MKCOL', stagedPathOf(name));
  if (status === EXISTS) throw taken(name);
  if (status === INVALID_NAME) throw nameRefused(name);
  const id = /^0*(\d{1,19})/.exec(headers['oc-fileid'] ?? '')?.[1];
  if (status !== CREATED) throw failureOf(status);
  if (id === undefined)
    throw new StorageFailure('unexpected', status, 'The storage did not say the id of the folder.');
  return id;
}

async function move(access: Access, from: string, to: string): Promise<undefined> {
  const destination = new URL(access.origin);
  destination.pathname = treeOf(access, SERVICE) + encoded(pathOf(to));
  const { status } = await change(access, 'MOVE', from, {
    destination: destination.href,
    // Without it the server would replace the other folder (RFC 4918, section 9.9.3).
    overwrite: 'F',
  });
  if (status === TARGET_EXISTS) throw taken(to);
  if (status === INVALID_NAME) throw nameRefused(to);
  if (status !== CREATED && status !== NO_CONTENT) throw failureOf(status);
}

async function remove(access: Access, name: string): Promise<undefined> {
  const { status } = await change(access, 'DELETE', pathOf(name));
  if (status !== NO_CONTENT && status !== 404) throw failureOf(status);
}

const change = (
  access: Access,
  method: string,
  path: string,
  options?: { destination: string; overwrite: string },
) => request(access, method, treeOf(access, SERVICE) + encoded(path), options);

const taken = (name: string) => new StorageFailure('nameRefused', 409, problems.taken(name));

/** The server answers 207 whatever happened. Only status 200 of the property means success. */
async function setAcl(
  access: Access,
  path: string,
  entries: readonly AclEntry[],
): Promise<undefined> {
  const body =
    `<?xml version="1.0"?><d:propertyupdate ${NAMESPACES}><d:set><d:prop><nc:acl-list>` +
    entries.map(aclElement).join('') +
    '</nc:acl-list></d:prop></d:set></d:propertyupdate>';
  const answer = await request(access, 'PROPPATCH', treeOf(access, SERVICE) + encoded(path), {
    body,
  });
  if (answer.status !== MULTI_STATUS) throw failureOf(answer.status);
  let isSet = false;
  await readMultiStatus(answer, (response) => {
    isSet ||= child(propertiesOf(response), 'acl-list') !== undefined;
  });
  if (!isSet)
    throw new StorageFailure('unexpected', answer.status, 'The storage did not set the rights.');
}

const aclElement = ({ type, id, mask, permissions }: AclEntry): string =>
  `<nc:acl><nc:acl-mapping-type>${type}</nc:acl-mapping-type>` +
  `<nc:acl-mapping-id>${escaped(id)}</nc:acl-mapping-id><nc:acl-mask>${mask}</nc:acl-mask>` +
  `<nc:acl-permissions>${permissions}</nc:acl-permissions></nc:acl>`;

async function changeMembership(
  access: Access,
  kind: 'join' | 'leave',
  person: string,
): Promise<undefined> {
  const path = `v1.php/cloud/users/${encodeURIComponent(person)}/groups`;
  const code = await (kind === 'join'
    ? ocsCode(access, path, { method: 'POST', form: { groupid: SERVICE } })
    : ocsCode(access, `${path}?groupid=${GROUP}`, { method: 'DELETE' }));
  if (code === UNKNOWN_USER)
    throw new PeopleRefused([person], `The storage does not know the person ${person}.`);
  if (code === LAST_GROUP && kind === 'leave')
    throw new PeopleRefused([person], `The storage keeps ${person} in the group OpenProject.`);
  if (code === UNKNOWN_GROUP)
    throw new FoldersUnavailable(
      'The storage has no group OpenProject. Repeat the set-up of project folders in the ' +
        'integration app there.',
    );
  if (code === FORBIDDEN || code === NOT_ADMINISTERED)
    throw new GroupRefused(
      `The storage does not let the service ${kind === 'join' ? 'add' : 'remove'} ${person} ` +
        `${kind === 'join' ? 'to' : 'from'} the group OpenProject. Make the user OpenProject an ` +
        'administrator of this group there, or repeat the set-up of project folders in the ' +
        'integration app.',
    );
  if (code === LAST_GROUP)
    throw new GroupRefused(
      `The storage failed to add ${person} to the group OpenProject. Check the log of the ` +
        'storage. The service tries again later.',
    );
  if (code !== 100 && code !== 200) throw failureOf(code);
}

const accessOf = (target: Target, password: string): Access => ({
  ...target,
  authorization: basic(password),
  userId: SERVICE,
});

export const teamFolders = managedFolders<FoundTeamFolder>({
  access: accessOf,
  nameOf: folderName,
  read,
  plan: planFolders,
  perform,
});

/** Reads the team folder for a health check. @throws FoldersUnavailable, StorageFailure */
export const readTeamFolder = (
  target: Target,
  password: string,
  wanted: Wanted,
): Promise<FoundTeamFolder> => read(accessOf(target, password), wanted);

/** Lists the group for a health check. @throws StorageFailure */
export const readGroup = (target: Target, password: string): Promise<string[]> =>
  groupMembers(accessOf(target, password));
