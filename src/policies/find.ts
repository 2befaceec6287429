/** Finds rows by their keys, if the user can see them. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Client } from '../concurrency/client.js';
import { containerTypes, type ContainerType } from '../contract/container-kinds.js';
import { isStorableText } from '../contract/text-rules.js';
import type { Profile } from '../contract/profiles.js';
import type { Database } from '../database/index.js';
import { Activity } from '../models/activity.js';
import { ApiKey } from '../models/api-key.js';
import { AuditEvent } from '../models/audit-event.js';
import { Attachment } from '../models/attachment.js';
import type { ContainerRecord } from '../models/container.js';
import { DeletedAttachment } from '../models/deleted-attachment.js';
import { FileLink } from '../models/file-link.js';
import { Membership } from '../models/membership.js';
import { Notification } from '../models/notification.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import { ProjectStorage } from '../models/project-storage.js';
import { Project } from '../models/project.js';
import { rowMaker, type Record, type RowMaker } from '../models/record.js';
import { Role } from '../models/role.js';
import { StorageAccount } from '../models/storage-account.js';
import { Storage } from '../models/storage.js';
import { Status } from '../models/status.js';
import { Type } from '../models/type.js';
import { User } from '../models/user.js';
import { Webhook, WebhookDelivery } from '../models/webhook.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from './can.js';
import { containers } from './permissions.js';
import { columnsOf, parameter } from '../database/columns.js';
import { PreparedRead } from './prepared-read.js';
import { containerColumns, fileLinkColumns, visible } from './visible.js';

interface Reader {
  user: User;
  db: Database;
  client?: Client | undefined;
}

interface Find<M> {
  /** Returns undefined for a missing and for an invisible row, so both look the same. */
  (reader: Reader, id: number | undefined): Promise<M | undefined>;
  /** The visible ones of these rows, in any order, in one statement. */
  many(reader: Reader, ids: readonly number[]): Promise<M[]>;
}

type Shape = 'one' | 'many';

interface ModelOf<M> {
  new (): M;
  tableName: string;
}

const ID = parameter('id');
const IDS = parameter('ids');

const keyed = <M extends Record>(
  query: QueryBuilder<M>,
  { phrases }: Database,
  shape: Shape,
): QueryBuilder<M> => {
  const key = `${query.modelClass().tableName}.id`;
  return shape === 'one'
    ? query.whereRaw(`${key} = ?`, [ID])
    : query.whereRaw(phrases.isOneOf(key), [IDS]);
};

const found = <M extends Record>(read: PreparedRead<M, Shape>): Find<M> =>
  Object.assign(
    async (reader: Reader, id: number | undefined) =>
      id === undefined ? undefined : (await read.rows(reader, { id }, 'one'))[0],
    {
      many: (reader: Reader, ids: readonly number[]) =>
        read.rows(reader, { ids: reader.db.phrases.listOf(ids) }, 'many'),
    },
  );

const byId = <M extends Record>(
  { tableName }: ModelOf<M>,
  visibleRows: (user: User, db: Knex) => QueryBuilder<M>,
  columns = (db: Database) => columnsOf(db, tableName),
): Find<M> =>
  found(
    new PreparedRead<M, Shape>(async (db, user, shape) => ({
      query: keyed(visibleRows(user, db.read), db, shape),
      columns: await columns(db),
    })),
  );

function byIdForAdmins<M extends Record>(
  model: ModelOf<M>,
  rows: (db: Knex) => QueryBuilder<M>,
): Find<M> {
  const find = byId<M>(model, (_user, db) => rows(db));
  return Object.assign(
    async (reader: Reader, id: number | undefined) =>
      can.administer(reader) ? find(reader, id) : undefined,
    {
      many: async (reader: Reader, ids: readonly number[]) =>
        can.administer(reader) ? find.many(reader, ids) : [],
    },
  );
}

/**
 * Administrators find all rows, others their own. A prepared read does not know whether an
 * administrator acts with less than all rights, so there are two.
 */
function byIdForOwners<M extends Record>(
  model: ModelOf<M>,
  own: (user: User, db: Knex) => QueryBuilder<M>,
  all: (db: Knex) => QueryBuilder<M>,
): Find<M> {
  const findOwn = byId<M>(model, own);
  const findAny = byIdForAdmins<M>(model, all);
  const findFor = (reader: Reader) => (can.administer(reader) ? findAny : findOwn);
  return Object.assign((reader: Reader, id: number | undefined) => findFor(reader)(reader, id), {
    many: (reader: Reader, ids: readonly number[]) => findFor(reader).many(reader, ids),
  });
}

const containerFinds = Object.fromEntries(
  containerTypes.map((type) => [
    type,
    byId<ContainerRecord>(
      // Cast: the constructor of the base class is not public.
      containers[type].model as unknown as ModelOf<ContainerRecord>,
      (user, db) => visible.containers(type, user, db),
      (db) => containerColumns(db, type),
    ),
  ]),
) as { [type in ContainerType]: Find<ContainerRecord> };

/** Reads the container of an attachment in the same statement. */
const attachments = new PreparedRead<Attachment, Shape>(async (db, user, shape) => {
  const columns: { [name: string]: string } = { ...(await columnsOf(db, Attachment.tableName)) };
  for (const type of containerTypes)
    for (const [name, column] of Object.entries(await containerColumns(db, type)))
      columns[`${type}.${name}`] = column;
  return {
    query: keyed(visible.attachments(user, db.read), db, shape),
    columns,
    make: attachmentWithContainer,
  };
});

function attachmentWithContainer(names: readonly string[]): RowMaker<Attachment> {
  const make = rowMaker(
    Attachment,
    names.filter((name) => !name.includes('.')),
  );
  const makers = containerTypes.map((type) => {
    const prefix = `${type}.`;
    const own = names.filter((name) => name.startsWith(prefix));
    const columns = own.map((name) => name.slice(prefix.length));
    const { model } = containers[type];
    return [type, rowMaker(model as never, columns, names.indexOf(own[0] ?? ''))] as const;
  });
  const makerOf = Object.fromEntries(makers) as {
    [type in ContainerType]: RowMaker<ContainerRecord>;
  };
  return (values) => {
    const attachment = make(values);
    const type = attachment.containerRef?.type;
    if (type) attachment.knownContainer = makerOf[type](values);
    return attachment;
  };
}

const projectsByIdentifier = new PreparedRead<Project>(async (db, user) => ({
  query: visible
    .projects(user, db.read)
    .whereRaw('projects.identifier = ?', [parameter('identifier')]),
  columns: await columnsOf(db, Project.tableName),
}));
const fileLink = byId(FileLink, visible.fileLinks, fileLinkColumns);
const manageableFileLink = byId(FileLink, visible.manageableFileLinks, fileLinkColumns);

export const find = {
  attachment: found(attachments),

  /** A file in the trash that the caller may restore. */
  deletedAttachment: byId(DeletedAttachment, visible.deletedAttachments),

  container: (
    reader: Reader,
    type: ContainerType,
    id: number | undefined,
  ): Promise<ContainerRecord | undefined> => containerFinds[type](reader, id),

  /** By kind. */
  containers: containerFinds,

  workPackage: byId(WorkPackage, visible.workPackages),

  activity: byId(Activity, visible.activities, (db) => containerColumns(db, 'Activity')),

  project: byId(Project, visible.projects),

  projectByIdentifier: async (reader: Reader, identifier: string): Promise<Project | undefined> =>
    isStorableText(identifier)
      ? (await projectsByIdentifier.rows(reader, { identifier }))[0]
      : undefined,

  storage: byId(Storage, visible.storages),

  fileLink,

  /** A file link for its deletion. In some profiles, the user need not see it. */
  fileLinkToDelete: async (
    reader: Reader & { settings: { profile: Profile } },
    id: number | undefined,
  ): Promise<FileLink | undefined> =>
    (await fileLink(reader, id)) ??
    (reader.settings.profile.deletesUnseenFileLinks ? manageableFileLink(reader, id) : undefined),

  projectStorage: byId(ProjectStorage, visible.projectStorages),

  apiKey: byIdForOwners(ApiKey, visible.ownApiKeys, (db) => ApiKey.query(db)),

  oauthApplication: byIdForAdmins(OAuthApplication, (db) => OAuthApplication.query(db)),

  oauthClientCredentials: byIdForAdmins(OAuthClientCredentials, (db) =>
    OAuthClientCredentials.query(db),
  ),

  webhook: byIdForAdmins(Webhook, (db) => Webhook.query(db)),

  auditEvent: byIdForAdmins(AuditEvent, (db) => AuditEvent.query(db)),

  webhookDelivery: byIdForAdmins(WebhookDelivery, (db) => WebhookDelivery.query(db)),

  user: byId(User, visible.users),

  membership: byId(Membership, visible.memberships),

  notification: byId(Notification, visible.notifications),

  role: byId(Role, visible.roles),

  /** Also the roles of Non member and Anonymous, which no member can have. */
  anyRole: byIdForOwners(Role, visible.roles, (db) => Role.query(db)),

  storageAccount: byId(StorageAccount, visible.storageAccounts),

  status: byId(Status, visible.statuses),

  type: byId(Type, visible.types),
};
