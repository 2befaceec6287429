/** Creates rows with all required columns. A test gives only the values that it needs. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Services } from '../../src/context.js';
import { Activity, ActivityKind } from '../../src/models/activity.js';
import { ApiKey } from '../../src/models/api-key.js';
import { API_SCOPE, OAuthApplication } from '../../src/models/oauth-application.js';
import { OAuthArtifact } from '../../src/models/oauth-artifact.js';
import { OAuthClientCredentials } from '../../src/models/oauth-client-credentials.js';
import { ProjectFolderMode, ProjectStorage } from '../../src/models/project-storage.js';
import { StorageToken } from '../../src/models/storage-token.js';
import { Storage, type AuthenticationMethod } from '../../src/models/storage.js';
import { Attachment, AttachmentStatus, type DigestAlgorithm } from '../../src/models/attachment.js';
import { Meeting } from '../../src/models/meeting.js';
import { Notification, NotificationReason } from '../../src/models/notification.js';
import { Post } from '../../src/models/post.js';
import { Project } from '../../src/models/project.js';
import { Role } from '../../src/models/role.js';
import { Status } from '../../src/models/status.js';
import { Type } from '../../src/models/type.js';
import { User, type UserStatus } from '../../src/models/user.js';
import { WikiPage } from '../../src/models/wiki-page.js';
import { WorkPackage } from '../../src/models/work-package.js';
import { hashKey } from '../../src/secrets/keys-and-tokens.js';
import { hashPassword } from '../../src/secrets/passwords.js';

export interface Person {
  id: number;
  login: string;
  name: string;
  /** An API key of the person. */
  key: string;
}

export type Kind = 'WorkPackage' | 'Activity' | 'Meeting' | 'Post' | 'WikiPage';
export const kinds: Kind[] = ['WorkPackage', 'Activity', 'Meeting', 'Post', 'WikiPage'];
export const segments: { [kind in Kind]: string } = {
  WorkPackage: 'work_packages',
  Activity: 'activities',
  Meeting: 'meetings',
  Post: 'posts',
  WikiPage: 'wiki_pages',
};

export interface ContainerHandle {
  kind: Kind;
  id: number;
  projectId: number;
  /** Subject or title; null for an activity. */
  title: string | null;
  /** e.g. `/api/v3/meetings/3` */
  path: string;
  /** e.g. `/api/v3/meetings/3/attachments` */
  attachments: string;
  /** The global GraphQL id. */
  globalId: string;
}

interface NewPerson {
  login?: string;
  firstName?: string;
  lastName?: string;
  admin?: boolean;
  status?: `${UserStatus}`;
  email?: string | null;
  /** The password for the sign-in page. */
  password?: string;
}

/** Columns of a work package that have defaults. */
export interface WorkPackageDetails {
  descriptionText?: string;
  statusId?: number;
  typeId?: number;
  assigneeId?: number;
  updatedAt?: string;
}

export type Given = ReturnType<typeof factories>;

let counter = 0;
const next = () => (counter += 1);

/** A storage, inserted without a request to its server. */
export interface NewStorage {
  type?: 'SelfHostedFileServer' | 'CloudDrive';
  name?: string;
  /** With or without a final slash. Required if a server must answer. */
  origin?: string;
  authenticationMethod?: 'TwoWayOAuth2' | 'OAuth2SSO';
  storageAudience?: string | null;
  tokenExchangeScope?: string | null;
  tenantId?: string | null;
  driveId?: string | null;
  applicationPassword?: string | null;
  foldersAllowed?: boolean;
  /** The OAuth client of this service at the storage. */
  client?: { id: string; secret: string };
  /** Default: a new administrator. */
  creator?: { id: number };
}

export interface StorageHandle {
  id: number;
  name: string;
  path: string;
  globalId: string;
  /** Identifier and secret of its OAuth application here. */
  application: { id: number; clientId: string; clientSecret: string };
  credentialsId: number | undefined;
}

export function factories({ db, blobs, forgetIdentities, keyring }: Services) {
  const now = () => new Date().toISOString();
  const times = () => {
    const time = now();
    return { createdAt: time, updatedAt: time };
  };

  const handle = (
    kind: Kind,
    id: number,
    projectId: number,
    title: string | null,
  ): ContainerHandle => {
    const path = `/api/v3/${segments[kind]}/${id}`;
    return {
      kind,
      id,
      projectId,
      title,
      path,
      attachments: `${path}/attachments`,
      globalId: Buffer.from(`${kind}:${id}`).toString('base64url'),
    };
  };

  const given = {
    async user({
      login = `user-${next()}`,
      firstName = 'Mia',
      lastName = 'Ray',
      admin = false,
      status = 'active',
      email = null,
      password,
    }: NewPerson = {}): Promise<Person> {
      const { id } = await User.query(db.write)
        .insert({
          login,
          firstName,
          lastName,
          admin,
          status,
          email,
          anonymous: false,
          passwordHash: password === undefined ? null : await hashPassword(password),
          ...times(),
        })
        .returning('id');
      const { key } = await given.apiKey({ id }, 'test');
      return { id, login, name: `${firstName} ${lastName}`.trim(), key };
    },

    async apiKey(
      owner: { id: number },
      name = `key ${next()}`,
    ): Promise<{ id: number; key: string }> {
      const key = `test-${randomBytes(20).toString('hex')}`;
      const { id } = await ApiKey.query(db.write)
        .insert({ userId: owner.id, name, keyHash: hashKey(key), ...times() })
        .returning('id');
      return { id, key };
    },

    /** @returns the token of a new application, which acts for a person */
    async accessToken(person: { id: number }): Promise<string> {
      const clientId = `client-${next()}`;
      await OAuthApplication.query(db.write).insert({
        name: clientId,
        clientId,
        clientSecretHash: null,
        confidential: false,
        redirectUris: [],
        scopes: [API_SCOPE],
        ownerId: person.id,
        storageId: null,
        ...times(),
      });
      const token = randomBytes(32).toString('base64url');
      const grantId = hashKey(`grant of ${token}`);
      const artifact = {
        uidHash: null,
        clientId,
        userId: person.id,
        payload: JSON.stringify({ scope: API_SCOPE }),
        consumedAt: null,
        expiresAt: new Date(Date.now() + 7_200_000).toISOString(),
        ...times(),
      };
      const insert = (kind: string, keyHash: string, grant: string | null) =>
        OAuthArtifact.query(db.write).insert({ ...artifact, kind, keyHash, grantId: grant });
      await insert('Grant', grantId, null);
      await insert('AccessToken', hashKey(token), grantId);
      return token;
    },

    async project({
      name = `Project ${next()}`,
      isPublic = false,
      active = true,
      parent,
      identifier = `project-${next()}`,
    }: {
      name?: string;
      identifier?: string;
      isPublic?: boolean;
      active?: boolean;
      parent?: { id: number };
    } = {}): Promise<{
      id: number;
      name: string;
      identifier: string;
    }> {
      const { id } = await Project.query(db.write)
        .insert({
          identifier,
          name,
          public: isPublic,
          active,
          parentId: parent?.id ?? null,
          ...times(),
        })
        .returning('id');
      return { id, name, identifier };
    },

    async status(name: string, { isClosed = false, color = null as string | null } = {}) {
      const position = next() + 1;
      const { id } = await Status.query(db.write)
        .insert({ name, isClosed, color, isDefault: false, position, ...times() })
        .returning('id');
      return { id, name };
    },

    async type(name: string, { color = null as string | null } = {}) {
      const position = next() + 1;
      const { id } = await Type.query(db.write)
        .insert({ name, color, isDefault: false, position, ...times() })
        .returning('id');
      return { id, name };
    },

    /** Limits the types of a project. */
    async projectTypes(project: { id: number }, types: readonly { id: number }[]): Promise<void> {
      await db
        .write('project_types')
        .insert(types.map(({ id }) => ({ project_id: project.id, type_id: id })));
    },

    /** A role with these permissions, with or without a name. */
    async role(permissions: string[], name = `Role ${next()}`): Promise<number> {
      const existing = await Role.query(db.write).findOne({ name });
      const id =
        existing?.id ??
        (
          await Role.query(db.write)
            .insert({ name, ...times() })
            .returning('id')
        ).id;
      await db.write('role_permissions').delete().where('role_id', id);
      if (permissions.length > 0)
        await db
          .write('role_permissions')
          .insert(permissions.map((permission) => ({ role_id: id, permission })));
      forgetIdentities();
      return id;
    },

    /** Makes a user a member of a project with exactly these permissions. */
    async membership(
      person: Person,
      project: { id: number },
      permissions: string[],
    ): Promise<void> {
      const roleId = await given.role(permissions);
      const time = now();
      const [row] = await db
        .write('memberships')
        .insert({ user_id: person.id, project_id: project.id, created_at: time, updated_at: time })
        .onConflict(['user_id', 'project_id'])
        .merge(['updated_at'])
        .returning('id');
      await db.write('membership_roles').delete().where('membership_id', row.id);
      await db.write('membership_roles').insert({ membership_id: row.id, role_id: roleId });
      forgetIdentities();
    },

    /** A new user who is a member of a project with exactly these permissions. */
    async member(
      project: { id: number },
      permissions: string[],
      person: NewPerson = {},
    ): Promise<Person> {
      const user = await given.user(person);
      await given.membership(user, project, permissions);
      return user;
    },

    async storage({
      type = 'SelfHostedFileServer',
      name = `Storage ${next()}`,
      origin = `https://files-${next()}.example.test`,
      authenticationMethod = 'TwoWayOAuth2',
      storageAudience = null,
      tokenExchangeScope = null,
      tenantId = null,
      driveId = null,
      applicationPassword = null,
      foldersAllowed = false,
      client,
      creator,
    }: NewStorage = {}): Promise<StorageHandle> {
      const server = type === 'SelfHostedFileServer';
      const url = new URL(origin);
      const owner = creator ?? (await given.user({ admin: true }));
      const { id } = await Storage.query(db.write)
        .insert({
          type,
          name,
          tenantId,
          driveId,
          foldersAllowed,
          creatorId: owner.id,
          origin: server ? `${origin.replace(/\/+$/, '')}/` : null,
          originKey: server ? `${url.host}${url.pathname.replace(/\/+$/, '')}` : null,
          authenticationMethod: server ? (authenticationMethod as AuthenticationMethod) : null,
          storageAudience,
          tokenExchangeScope,
          applicationPassword:
            applicationPassword === null
              ? null
              : keyring.seal(applicationPassword, 'storages.application_password'),
          ...times(),
        })
        .returning('id');
      const application = {
        clientId: `client-${next()}`,
        clientSecret: `secret-${randomBytes(20).toString('hex')}`,
      };
      const redirectUris = server
        ? [`${origin.replace(/\/+$/, '')}/index.php/apps/integration_openproject/oauth-redirect`]
        : [];
      const { id: applicationId } = await OAuthApplication.query(db.write)
        .insert({
          name: `${name} (${type})`,
          clientId: application.clientId,
          clientSecretHash: hashKey(application.clientSecret),
          confidential: true,
          redirectUris,
          scopes: [API_SCOPE],
          ownerId: owner.id,
          storageId: id,
          ...times(),
        })
        .returning('id');
      const credentials =
        client &&
        (await OAuthClientCredentials.query(db.write)
          .insert({
            storageId: id,
            clientId: client.id,
            clientSecret: keyring.seal(client.secret, 'oauth_client_credentials.client_secret'),
            ...times(),
          })
          .returning('id'));
      return {
        id,
        name,
        path: `/api/v3/storages/${id}`,
        globalId: Buffer.from(`Storage:${id}`).toString('base64url'),
        application: { id: applicationId, ...application },
        credentialsId: credentials?.id,
      };
    },

    /** Adds a storage to a project. */
    async projectStorage(
      project: { id: number },
      storage: { id: number },
      {
        creator,
        mode = 'inactive',
        folderId = null,
      }: {
        creator?: { id: number };
        mode?: 'inactive' | 'manual' | 'automatic';
        folderId?: string | null;
      } = {},
    ): Promise<{ id: number; path: string; globalId: string }> {
      const creatorId = (creator ?? (await given.user({ admin: true }))).id;
      const { id } = await ProjectStorage.query(db.write)
        .insert({
          projectId: project.id,
          storageId: storage.id,
          creatorId,
          projectFolderMode: mode as ProjectFolderMode,
          projectFolderId: folderId,
          ...times(),
        })
        .returning('id');
      return {
        id,
        path: `/api/v3/project_storages/${id}`,
        globalId: Buffer.from(`ProjectStorage:${id}`).toString('base64url'),
      };
    },

    /** A user's tokens of a storage with client credentials. */
    async storageTokens(
      person: { id: number },
      storage: StorageHandle,
      tokens: {
        accessToken: string;
        refreshToken?: string | null;
        expiresInSeconds?: number;
        originUserId?: string | null;
      },
    ): Promise<void> {
      const {
        accessToken,
        refreshToken = null,
        expiresInSeconds = 3600,
        originUserId = null,
      } = tokens;
      await StorageToken.query(db.write)
        .insert({
          userId: person.id,
          storageId: storage.id,
          credentialsId: storage.credentialsId!,
          originUserId,
          leaseToken: null,
          leaseUntil: null,
          accessToken: keyring.seal(accessToken, 'storage_tokens.access_token'),
          refreshToken:
            refreshToken === null
              ? null
              : keyring.seal(refreshToken, 'storage_tokens.refresh_token'),
          expiresAt: new Date(Date.now() + expiresInSeconds * 1000).toISOString(),
          ...times(),
        })
        .onConflict(['user_id', 'storage_id'])
        .merge();
    },

    async workPackage(
      project: { id: number },
      author: { id: number },
      subject = `Work package ${next()}`,
      details: WorkPackageDetails = {},
    ): Promise<ContainerHandle> {
      const { id } = await WorkPackage.query(db.write)
        .insert({
          projectId: project.id,
          authorId: author.id,
          subject,
          lockVersion: 0,
          ...times(),
          ...details,
        })
        .returning('id');
      return handle('WorkPackage', id, project.id, subject);
    },

    async comment(
      workPackage: { id: number; projectId: number },
      author: { id: number },
      {
        text = 'A comment',
        internal = false,
        system = false,
      }: { text?: string; internal?: boolean; system?: boolean } = {},
    ): Promise<ContainerHandle> {
      const { id } = await Activity.query(db.write)
        .insert({
          workPackageId: workPackage.id,
          authorId: author.id,
          kind: system ? ActivityKind.SYSTEM : ActivityKind.COMMENT,
          commentText: system ? '' : text,
          internal,
          changes: [],
          ...times(),
        })
        .returning('id');
      return handle('Activity', id, workPackage.projectId, null);
    },

    /** The actor has added files to the work package of the person. */
    async notification(
      person: { id: number },
      workPackage: { id: number },
      actor: { id: number },
      columns: Partial<
        Pick<Notification, 'reason' | 'read' | 'activityId' | 'internal' | 'createdAt'>
      > = {},
    ): Promise<Notification> {
      return Notification.query(db.write)
        .insert({
          userId: person.id,
          workPackageId: workPackage.id,
          actorId: actor.id,
          activityId: null,
          reason: NotificationReason.CREATED,
          internal: false,
          read: false,
          ...times(),
          ...columns,
        })
        .returning('*');
    },

    async meeting(
      project: { id: number },
      author: { id: number },
      title = `Meeting ${next()}`,
    ): Promise<ContainerHandle> {
      const { id } = await Meeting.query(db.write)
        .insert({ projectId: project.id, authorId: author.id, title, ...times() })
        .returning('id');
      return handle('Meeting', id, project.id, title);
    },

    async post(
      project: { id: number },
      author: { id: number },
      subject = `Post ${next()}`,
    ): Promise<ContainerHandle> {
      const { id } = await Post.query(db.write)
        .insert({ projectId: project.id, authorId: author.id, subject, ...times() })
        .returning('id');
      return handle('Post', id, project.id, subject);
    },

    async wikiPage(
      project: { id: number },
      author: { id: number },
      title = `Page ${next()}`,
    ): Promise<ContainerHandle> {
      const { id } = await WikiPage.query(db.write)
        .insert({ projectId: project.id, authorId: author.id, title, ...times() })
        .returning('id');
      return handle('WikiPage', id, project.id, title);
    },

    /** A container of any kind; an activity is a comment of the author on a new work package. */
    async container(
      kind: Kind,
      project: { id: number },
      author: { id: number },
      { internal = false } = {},
    ): Promise<ContainerHandle> {
      switch (kind) {
        case 'WorkPackage':
          return given.workPackage(project, author);
        case 'Activity':
          return given.comment(await given.workPackage(project, author), author, { internal });
        case 'Meeting':
          return given.meeting(project, author);
        case 'Post':
          return given.post(project, author);
        case 'WikiPage':
          return given.wikiPage(project, author);
      }
    },

    /** A stored file with its row, without an upload request. */
    async attachment({
      container,
      author,
      fileName = `file-${next()}.txt`,
      content = 'some text',
      contentType = 'text/plain',
      description = '',
      status = 'uploaded',
      algorithm = 'sha256',
      blob = true,
    }: {
      container?: ContainerHandle | undefined;
      author: { id: number };
      fileName?: string;
      content?: string | Uint8Array;
      contentType?: string;
      description?: string;
      status?: `${AttachmentStatus}`;
      algorithm?: `${DigestAlgorithm}`;
      blob?: boolean;
    }): Promise<Attachment> {
      const bytes = Buffer.from(content as string);
      const blobKey = randomBytes(16).toString('hex');
      if (blob) await blobs.put(blobKey, Readable.from([bytes]));
      const key =
        container &&
        (
          {
            WorkPackage: 'workPackageId',
            Activity: 'activityId',
            Meeting: 'meetingId',
            Post: 'postId',
            WikiPage: 'wikiPageId',
          } as const
        )[container.kind];
      return Attachment.query(db.write)
        .insert({
          ...(key && { [key]: container.id, projectId: container.projectId }),
          authorId: author.id,
          fileName,
          fileSize: bytes.byteLength,
          descriptionText: description,
          contentType,
          digestAlgorithm: algorithm,
          digestHash:
            status === 'prepared' ? '' : createHash(algorithm).update(bytes).digest('hex'),
          status: status as AttachmentStatus,
          phase: 'kept',
          blobKey,
          ...times(),
        })
        .returning('*');
    },
  };
  return given;
}
