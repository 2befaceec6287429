/** Finds one row by its key, if the user can see it. */
import type { ApiKey } from '../models/api-key.js';
import type { Attachment } from '../models/attachment.js';
import type { Activity } from '../models/activity.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import type { FileLink } from '../models/file-link.js';
import type { ProjectStorage } from '../models/project-storage.js';
import type { Project } from '../models/project.js';
import type { Storage } from '../models/storage.js';
import type { User } from '../models/user.js';
import { Webhook, WebhookDelivery } from '../models/webhook.js';
import type { WorkPackage } from '../models/work-package.js';
import type { Database } from '../database/index.js';
import { containers } from './permissions.js';
import { visible } from './visible.js';

interface Reader {
  user: User;
  db: Database;
}

/** Each returns undefined for a missing and for an invisible row, so both look the same. */
export const find = {
  attachment: async (
    { user, db }: Reader,
    id: number | undefined,
  ): Promise<Attachment | undefined> =>
    id === undefined ? undefined : visible.attachments(user, db.read).findOne('attachments.id', id),

  container: async (
    { user, db }: Reader,
    type: ContainerType,
    id: number | undefined,
  ): Promise<ContainerRecord | undefined> =>
    id === undefined
      ? undefined
      : visible
          .containers(type, user, db.read)
          .findOne(`${containers[type].model.tableName}.id`, id),

  workPackage: async (
    { user, db }: Reader,
    id: number | undefined,
  ): Promise<WorkPackage | undefined> =>
    id === undefined
      ? undefined
      : visible.workPackages(user, db.read).findOne('work_packages.id', id),

  activity: async ({ user, db }: Reader, id: number | undefined): Promise<Activity | undefined> =>
    id === undefined ? undefined : visible.activities(user, db.read).findOne('activities.id', id),

  project: async ({ user, db }: Reader, id: number | undefined): Promise<Project | undefined> =>
    id === undefined ? undefined : visible.projects(user, db.read).findOne('projects.id', id),

  storage: async ({ user, db }: Reader, id: number | undefined): Promise<Storage | undefined> =>
    id === undefined ? undefined : visible.storages(user, db.read).findOne('storages.id', id),

  fileLink: async ({ user, db }: Reader, id: number | undefined): Promise<FileLink | undefined> =>
    id === undefined ? undefined : visible.fileLinks(user, db.read).findOne('file_links.id', id),

  projectStorage: async (
    { user, db }: Reader,
    id: number | undefined,
  ): Promise<ProjectStorage | undefined> =>
    id === undefined
      ? undefined
      : visible.projectStorages(user, db.read).findOne('project_storages.id', id),

  apiKey: async ({ user, db }: Reader, id: number | undefined): Promise<ApiKey | undefined> =>
    id === undefined ? undefined : visible.apiKeys(user, db.read).findOne({ id }),

  /** Only for administrators. */
  oauthApplication: async (
    { user, db }: Reader,
    id: number | undefined,
  ): Promise<OAuthApplication | undefined> =>
    id === undefined || !user.admin ? undefined : OAuthApplication.query(db.read).findById(id),

  /** Only for administrators. */
  oauthClientCredentials: async (
    { user, db }: Reader,
    id: number | undefined,
  ): Promise<OAuthClientCredentials | undefined> =>
    id === undefined || !user.admin
      ? undefined
      : OAuthClientCredentials.query(db.read).findById(id),

  /** Only for administrators. */
  webhook: async ({ user, db }: Reader, id: number | undefined): Promise<Webhook | undefined> =>
    id === undefined || !user.admin ? undefined : Webhook.query(db.read).findById(id),

  /** Only for administrators. */
  webhookDelivery: async (
    { user, db }: Reader,
    id: number | undefined,
  ): Promise<WebhookDelivery | undefined> =>
    id === undefined || !user.admin ? undefined : WebhookDelivery.query(db.read).findById(id),

  user: async ({ user, db }: Reader, id: number | undefined): Promise<User | undefined> =>
    id === undefined ? undefined : visible.users(user, db.read).findOne('users.id', id),
};
