/** What can be done with an item of the drive. */
import {
  grant,
  mayWrite,
  amend,
  permissionsOf,
  sees as seesItem,
  withdraw,
  type Permission,
} from './access.js';
import { downloadUrl } from './download.js';
import { decoded, header, jsonOf, Refusal, type Call, type Reply } from './exchange.js';
import type { Service } from './graph.js';
import type { Caller, Item } from './items.js';
import { context, driveItem, etagOf, selected, shownPermission } from './represent.js';
import type { Tenant } from './tenant.js';
import { checkQuota, store, type ConflictBehavior } from './upload.js';

/** What an operation works with. */
interface Operation extends Service {
  caller: Caller;
  call: Call;
  address: Address;
}

/** An item by id, by path, or by a path below an item. */
interface Address {
  start: string;
  names: readonly string[];
  action: string;
  /** The id of one permission. */
  permission?: string;
}

/** A page when nothing is asked for, and the most that can be. */
const PAGE = 200;
const LARGEST_PAGE = 1000;

/** @param rest what follows the drive in the path; @returns undefined for what the fake does not offer */
export function onItem(
  service: Service,
  call: Call,
  caller: Caller,
  rest: string,
): Reply | undefined {
  const address = addressOf(rest);
  return (
    address &&
    operations[`${call.method} ${address.action}`]?.({ ...service, call, caller, address })
  );
}

const operations: { [operation: string]: (operation: Operation) => Reply } = {
  'GET ': read,
  'PATCH ': change,
  'DELETE ': remove,
  'GET children': list,
  'POST children': createFolder,
  'GET content': redirect,
  'PUT content': put,
  'POST createUploadSession': openUpload,
  'GET permissions': listPermissions,
  'DELETE permissions/': removePermission,
  'PATCH permissions/': changePermission,
  'POST invite': invite,
};

/** @param rest e.g. `/items/{id}:/A%20b/c.txt:/content` */
function addressOf(rest: string): Address | undefined {
  const action = '(children|content|createUploadSession|permissions|invite)';
  const start = '/(?:root|items/([^/:]+))';
  const [, id, path, byPath] = new RegExp(`^${start}:/(.+?)(?::/${action})?$`).exec(rest) ?? [];
  if (path !== undefined)
    return {
      start: decoded(id ?? 'root'),
      names: path.split('/').map(decoded),
      action: byPath ?? '',
    };
  const [, at, permission] = new RegExp(`^${start}/permissions/([^/:]+)$`).exec(rest) ?? [];
  if (permission !== undefined)
    return {
      start: decoded(at ?? 'root'),
      names: [],
      action: 'permissions/',
      permission: decoded(permission),
    };
  const direct = new RegExp(`^${start}(?:/${action})?$`).exec(rest);
  return direct
    ? { start: decoded(direct[1] ?? 'root'), names: [], action: direct[2] ?? '' }
    : undefined;
}

const sees = ({ tenant, caller }: Operation, item: Item) => seesItem(tenant, caller, item);

/** @throws Refusal which is the same for what is missing and what is hidden */
function itemOf(operation: Operation): Item {
  const {
    tenant: { items },
    address: { start, names },
  } = operation;
  if (start !== 'root' && !/^01[A-Z2-7]{32}$/.test(start)) throw new Refusal('nonsense');
  const from = items.byId(start);
  const item = from && items.at(from, names);
  if (!item || !sees(operation, item)) throw new Refusal('unreadable');
  return item;
}

/** The folder that the address names, or the one that holds it. */
function folderOf(
  { address, ...operation }: Operation,
  missing: 'parentMissing' | 'invalid',
  names = address.names,
): Item {
  let folder: Item;
  try {
    folder = itemOf({ ...operation, address: { ...address, names } });
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(missing) : error;
  }
  if (folder.kind === 'file') throw new Refusal('invalid');
  checkWritable(operation, folder);
  return folder;
}

function checkWritable({ tenant, caller }: Pick<Operation, 'tenant' | 'caller'>, item: Item): void {
  if (!mayWrite(tenant, caller, item)) throw new Refusal('denied');
}

function read(operation: Operation): Reply {
  const { tenant, call } = operation;
  const item = itemOf(operation);
  if (call.query.has('$expand')) throw new Error('The fake does not expand.');
  if (header(call, 'if-none-match') === etagOf(item)) return { status: 304, headers: {} };
  return shown(tenant, item, call.query.get('$select'));
}

const shown = (tenant: Tenant, item: Item, select: string | null = null): Reply => ({
  status: 200,
  headers: { ETag: etagOf(item) },
  json: {
    '@odata.context': context(tenant, '/items/$entity'),
    ...selected(driveItem(tenant, item), select),
  },
});

function change(operation: Operation): Reply {
  const { tenant, call, caller } = operation;
  const item = changeable(operation);
  const { name, parentReference, fileSystemInfo } = jsonOf(call);
  const parent =
    parentReference?.id === undefined ? item.parent! : tenant.items.byId(parentReference.id);
  // Whoever may write an item may rename it, also where they do not see its folder.
  const moves = parent !== item.parent;
  if (!parent || parent.kind === 'file' || (moves && !sees(operation, parent)))
    throw new Refusal('parentMissing');
  if (moves) checkWritable(operation, parent);
  tenant.items.place(item, parent, name ?? item.name, caller);
  item.clientCreated = fileSystemInfo?.createdDateTime ?? item.clientCreated;
  item.clientModified = fileSystemInfo?.lastModifiedDateTime ?? item.clientModified;
  return shown(tenant, item);
}

function remove(operation: Operation): Reply {
  operation.tenant.items.remove(changeable(operation));
  return { status: 204, headers: {} };
}

/** The item, when the caller may change it and it is what the caller thinks it is. */
function changeable(operation: Operation): Item {
  const { call } = operation;
  const item = itemOf(operation);
  checkWritable(operation, item);
  if (!item.parent) throw new Refusal('invalid', 'The root cannot be changed.');
  const expected = header(call, 'if-match');
  if (expected !== undefined && expected !== '*' && expected !== etagOf(item))
    throw new Refusal('changed');
  return item;
}

function list(operation: Operation): Reply {
  const {
    tenant,
    call: { query },
    caller,
  } = operation;
  const folder = itemOf(operation);
  const headers = {};
  const empty = { '@odata.context': context(tenant, `/items('${folder.id}')/children`), value: [] };
  if (tenant.emptyForMissingScope) return { status: 200, headers, json: empty };
  for (const name of ['$search', '$filter', '$count', '$orderby', '$expand'])
    if (query.has(name)) throw new Error(`The fake does not know ${name} on children.`);
  if (query.has('$skip'))
    throw new Refusal(
      'invalid',
      '$skip is not supported on this API. Only URLs returned by the API can be used to page.',
    );
  const { from, size } = pageOf(tenant, query, folder, caller);
  const children = [...folder.children.values()]
    .filter((child) => sees(operation, child))
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const value = children
    .slice(from, from + size)
    .map((child) => selected(driveItem(tenant, child), query.get('$select')));
  const more = from + size < children.length && {
    '@odata.nextLink': nextLink(tenant, query, folder, {
      from: from + size,
      size,
      of: folder.id,
      by: caller,
    }),
  };
  return { status: 200, headers, json: { ...empty, ...more, value } };
}

/** Where a page begins and how long it is. */
function pageOf(
  tenant: Tenant,
  query: URLSearchParams,
  folder: Item,
  caller: Caller,
): { from: number; size: number } {
  const token = query.get('$skiptoken');
  if (token === null)
    return { from: 0, size: Math.min(Number(query.get('$top') ?? 0) || PAGE, LARGEST_PAGE) };
  const page = tenant.unseal(token);
  if (page?.of !== folder.id || JSON.stringify(page.by) !== JSON.stringify(caller))
    throw new Refusal('invalid', 'The $skiptoken is not valid.');
  return page;
}

function nextLink(tenant: Tenant, query: URLSearchParams, folder: Item, page: object): string {
  const next = new URLSearchParams(query);
  next.set('$skiptoken', tenant.seal(page));
  return `${tenant.apiUrl}/drives/${tenant.driveId}/items/${folder.id}/children?${next.toString()}`;
}

function createFolder(operation: Operation): Reply {
  const { tenant, call, caller } = operation;
  const parent = folderOf(operation, 'parentMissing');
  const { name, folder, '@microsoft.graph.conflictBehavior': conflict = 'fail' } = jsonOf(call);
  if (typeof name !== 'string' || !folder) throw new Refusal('invalid');
  const there = tenant.items.child(parent, name);
  if (there && (conflict === 'fail' || there.kind !== 'folder')) throw new Refusal('nameTaken');
  const free = there && conflict === 'rename' ? tenant.items.freeName(parent, name) : name;
  // To replace a folder keeps it with all it holds.
  const item =
    tenant.items.child(parent, free) ??
    tenant.items.add(parent, free, 'folder', caller === 'app' ? {} : { by: caller.userId });
  const location = `https://contoso.sharepoint.com/_api/v2.0/drives('${tenant.driveId}')/items('${parent.parent ? parent.id : 'root'}')/children('${item.id}')`;
  return {
    status: 201,
    headers: { ETag: etagOf(item), Location: location },
    json: {
      '@odata.context': context(tenant, `/items('${parent.id}')/children/$entity`),
      ...driveItem(tenant, item, { created: true }),
    },
  };
}

function redirect(operation: Operation): Reply {
  const item = itemOf(operation);
  if (item.kind !== 'file') throw new Refusal('invalid', 'The item is not a file.');
  return { status: 302, headers: { Location: downloadUrl(operation.tenant, item) } };
}

/** Where a new file goes: below a folder by its name, or in the place of the addressed one. */
function targetOf(
  operation: Operation,
  missing: 'parentMissing' | 'invalid',
): { parent: Item; name: string; by: Caller } {
  const {
    address: { names },
    caller: by,
  } = operation;
  const name = names.at(-1);
  if (name !== undefined)
    return { parent: folderOf(operation, missing, names.slice(0, -1)), name, by };
  const item = itemOf(operation);
  if (item.kind !== 'file') throw new Refusal('invalid');
  checkWritable(operation, item);
  return { parent: item.parent!, name: item.name, by };
}

function put(operation: Operation): Reply {
  const { tenant, call } = operation;
  const target = targetOf(operation, 'parentMissing');
  checkQuota(tenant, call.body.length);
  const { item, replaced } = store(tenant, { ...target, conflict: 'replace' }, call.body);
  return {
    status: replaced ? 200 : 201,
    headers: { ETag: etagOf(item) },
    json: {
      '@odata.context': context(tenant, '/items/$entity'),
      ...driveItem(tenant, item, { created: !replaced }),
    },
  };
}

function openUpload(operation: Operation): Reply {
  const { tenant, call, uploads, address } = operation;
  const target = targetOf(operation, 'invalid');
  const { item = {}, deferCommit = false } = jsonOf(call);
  if (typeof item.fileSize === 'number') checkQuota(tenant, item.fileSize);
  const conflict: ConflictBehavior =
    item['@microsoft.graph.conflictBehavior'] ?? (address.names.length === 0 ? 'replace' : 'fail');
  return {
    status: 200,
    headers: { Location: 'https://graph.microsoft.com' },
    json: uploads.open({ ...target, conflict, deferCommit }),
  };
}

function listPermissions(operation: Operation): Reply {
  const { tenant, call } = operation;
  const item = itemOf(operation);
  const value = tenant.emptyForMissingScope
    ? []
    : told(operation, item).map((permission) =>
        selected(shownPermission(tenant, item, permission), call.query.get('$select')),
      );
  return {
    status: 200,
    headers: {},
    json: { '@odata.context': context(tenant, `/items('${item.id}')/permissions`), value },
  };
}

/** Where permissions count, only owners and the application are told what others have. */
function told({ tenant, caller }: Operation, item: Item): Permission[] {
  const all = permissionsOf(tenant, item);
  if (caller === 'app' || !tenant.onlyPermitted) return all;
  const own = all.filter(({ user }) => user === caller.userId);
  return own.some(({ roles }) => roles.includes('owner')) ? all : own;
}

function removePermission(operation: Operation): Reply {
  const item = itemOf(operation);
  checkWritable(operation, item);
  withdraw(operation.tenant, item, operation.address.permission ?? '');
  return { status: 204, headers: {} };
}

function changePermission(operation: Operation): Reply {
  const { tenant, call, address } = operation;
  const item = itemOf(operation);
  checkWritable(operation, item);
  const { roles } = jsonOf(call);
  if (!Array.isArray(roles) || !roles.every((role) => /^(read|write|owner)$/.test(String(role))))
    throw new Refusal('invalid', 'The roles are not known.');
  const changed = amend(tenant, item, address.permission ?? '', roles.map(String));
  return {
    status: 200,
    headers: {},
    json: {
      '@odata.context': `${tenant.apiUrl}/$metadata#permission`,
      ...shownPermission(tenant, item, changed),
    },
  };
}

/** All recipients are known, or nobody is invited. */
function invite(operation: Operation): Reply {
  const { tenant, call } = operation;
  const item = itemOf(operation);
  checkWritable(operation, item);
  const { roles, recipients } = jsonOf(call);
  if (!Array.isArray(roles) || !roles.every((role) => /^(read|write|owner)$/.test(String(role))))
    throw new Refusal('invalid', 'The roles are not known.');
  if (roles.length === 0 || !Array.isArray(recipients) || recipients.length === 0)
    throw new Refusal('invalid', 'There is nobody to invite, or to nothing.');
  const people = recipients.map(({ objectId }) => tenant.users.get(objectId)?.id);
  if (people.includes(undefined)) throw new Refusal('nobodyResolved');
  const value = people.map((user) =>
    shownPermission(tenant, item, grant(item, { ...(user !== undefined && { user }), roles })),
  );
  return {
    status: 200,
    headers: {},
    json: { '@odata.context': `${tenant.apiUrl}/$metadata#Collection(permission)`, value },
  };
}
