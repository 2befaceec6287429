/** Finds one row by its key, if the user can see it. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { containerTypes, type ContainerType } from '../contract/container-kinds.js';
import type { Profile } from '../contract/profiles.js';
import type { Database } from '../database/index.js';
import { Activity } from '../models/activity.js';
import { ApiKey } from '../models/api-key.js';
import { Attachment } from '../models/attachment.js';
import type { ContainerRecord } from '../models/container.js';
import { FileLink } from '../models/file-link.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import { ProjectStorage } from '../models/project-storage.js';
import { Project } from '../models/project.js';
import { rowMaker, type Record, type RowMaker } from '../models/record.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { Webhook, WebhookDelivery } from '../models/webhook.js';
import { WorkPackage } from '../models/work-package.js';
import { containers } from './permissions.js';
import { columnsOf, parameter, PreparedRead } from './prepared-read.js';
import { containerColumns, fileLinkColumns, visible } from './visible.js';

interface Reader {
  user: User;
  db: Database;
}

/** Returns undefined for a missing and for an invisible row, so both look the same. */
type Find<M> = (reader: Reader, id: number | undefined) => Promise<M | undefined>;

interface ModelOf<M> {
  new (): M;
  tableName: string;
}

const ID = parameter('id');

const one =
  <M extends Record>(read: PreparedRead<M>): Find<M> =>
  async (reader, id) =>
    id === undefined ? undefined : (await read.rows(reader, { id }))[0];

const byId = <M extends Record>(
  { tableName }: ModelOf<M>,
  visibleRows: (user: User, db: Knex) => QueryBuilder<M>,
  columns = (db: Database) => columnsOf(db, tableName),
): Find<M> =>
  one(
    new PreparedRead<M>(async (db, user) => ({
      query: visibleRows(user, db.read).whereRaw(`${tableName}.id = ?`, [ID]),
      columns: await columns(db),
    })),
  );

function byIdForAdmins<M extends Record>(
  model: ModelOf<M>,
  rows: (db: Knex) => QueryBuilder<M>,
): Find<M> {
  const find = byId<M>(model, (_user, db) => rows(db));
  return async (reader, id) => (reader.user.admin ? find(reader, id) : undefined);
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
const attachments = new PreparedRead<Attachment>(async (db, user) => {
  const columns: { [name: string]: string } = { ...(await columnsOf(db, Attachment.tableName)) };
  for (const type of containerTypes)
    for (const [name, column] of Object.entries(await containerColumns(db, type)))
      columns[`${type}.${name}`] = column;
  return {
    query: visible.attachments(user, db.read).whereRaw(`${Attachment.tableName}.id = ?`, [ID]),
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

const fileLink = byId(FileLink, visible.fileLinks, fileLinkColumns);
const manageableFileLink = byId(FileLink, visible.manageableFileLinks, fileLinkColumns);

export const find = {
  attachment: one(attachments),

  container: (
    reader: Reader,
    type: ContainerType,
    id: number | undefined,
  ): Promise<ContainerRecord | undefined> => containerFinds[type](reader, id),

  workPackage: byId(WorkPackage, visible.workPackages),

  activity: byId(Activity, visible.activities, (db) => containerColumns(db, 'Activity')),

  project: byId(Project, visible.projects),

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

  apiKey: byId(ApiKey, visible.apiKeys),

  oauthApplication: byIdForAdmins(OAuthApplication, (db) => OAuthApplication.query(db)),

  oauthClientCredentials: byIdForAdmins(OAuthClientCredentials, (db) =>
    OAuthClientCredentials.query(db),
  ),

  webhook: byIdForAdmins(Webhook, (db) => Webhook.query(db)),

  webhookDelivery: byIdForAdmins(WebhookDelivery, (db) => WebhookDelivery.query(db)),

  user: byId(User, visible.users),
};
