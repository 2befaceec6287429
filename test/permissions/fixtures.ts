/** The users and records of the permission matrix. */
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { App } from '../support/app.js';
import type {
  ContainerHandle,
  Kind as ContainerKind,
  Person,
  StorageHandle,
} from '../support/factories.js';
import { discardAttachments } from '../../src/actions/files/purge/trash.js';
import { NotificationReason } from '../../src/models/notification.js';
import { png } from '../support/images.js';
import type { Caller, Kind, Operation } from './expected.js';
import { administeredBy, administers } from './administration-fixtures.js';
import { isFileOperation } from './expected-files.js';
import { notificationKinds } from './expected-notifications.js';
import { reasonOf } from './notification-operations.js';
import type { Result } from './requests.js';
import { RemoteFiles } from './storage-fixtures.js';
import { MISSING, noSubject, PICTURE, type Place, type Subject } from './targets.js';

const containerKinds: { readonly [kind in Kind]?: ContainerKind } = {
  'work package': 'WorkPackage',
  comment: 'Activity',
  'internal comment': 'Activity',
  'record of a change': 'Activity',
  meeting: 'Meeting',
  post: 'Post',
  'wiki page': 'WikiPage',
};
export const containerKindOf = (kind: Kind): ContainerKind => containerKinds[kind]!;

const isStorage = (kind: Kind) =>
  kind === 'storage' || kind === 'unused storage' || kind === 'project storage';

const isAccount = (kind: Kind) => kind === 'own account' || kind === "another's account";

const isNotification = (kind: Kind) => (notificationKinds as readonly Kind[]).includes(kind);

export class Fixtures {
  /** Answers to requests for records that do not exist. */
  readonly refusalsWhereMissing = new Map<string, Promise<Result>>();
  readonly #app: App;
  readonly #places: { [name in Caller['project']]: Place };
  readonly #elsewhere: { id: number };
  readonly #anonymousId: number;
  /** The author of unclaimed attachments. Is a member of no project. */
  readonly #otherUser: Person;
  readonly #files: RemoteFiles;
  readonly #shared = new Map<string, Promise<Subject>>();

  private constructor(
    app: App,
    places: { [name in Caller['project']]: Place },
    files: RemoteFiles,
    elsewhere: { id: number },
    anonymousId: number,
    otherUser: Person,
  ) {
    this.#app = app;
    this.#places = places;
    this.#files = files;
    this.#elsewhere = elsewhere;
    this.#anonymousId = anonymousId;
    this.#otherUser = otherUser;
  }

  static async make(app: App): Promise<Fixtures> {
    const place = async (isPublic: boolean): Promise<Place> => {
      const project = await app.given.project({ isPublic });
      const owner = await app.given.user();
      const member = await app.given.member(project, []);
      const workPackage = await app.given.workPackage(project, owner);
      return { project, owner, member, workPackage };
    };
    const { data } = await app.graphql('{ viewer { databaseId } }');
    const places = { private: await place(false), public: await place(true) };
    return new Fixtures(
      app,
      places,
      await RemoteFiles.make(app, places),
      await app.given.project(),
      data.viewer.databaseId,
      await app.given.user(),
    );
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  /** Gives the caller and the built-in roles their permissions. @returns undefined for an anonymous user */
  async signIn(caller: Caller): Promise<Person | undefined> {
    const { given } = this.#app;
    await given.role(caller.nonMemberRole ?? [], 'Non member');
    await given.role(caller.anonymousRole ?? [], 'Anonymous');
    this.#shared.clear();
    if (caller.isAnonymous) return undefined;
    const person = await given.user({ admin: caller.admin ?? false });
    if (caller.member)
      await given.membership(person, this.#places[caller.project].project, caller.member);
    if (caller.elsewhere) await given.membership(person, this.#elsewhere, caller.elsewhere);
    if (!caller.unconnected) await this.#files.connect(person);
    return caller.isApplication ? { ...person, key: await given.accessToken(person) } : person;
  }

  /** A subject for several requests of the caller. None of them may use it up. */
  shared(
    caller: Caller,
    person: Person | undefined,
    operation: Operation,
    kind: Kind,
  ): Promise<Subject> {
    const own =
      /^(claim|drop|complete|release|mark|create project storage)|trash| resumable|small picture|^(restore|move)/.test(
        operation,
      )
        ? operation
        : isFileOperation(operation)
          ? 'files'
          : isAccount(kind) && administers(operation)
            ? operation
            : '';
    const key = `${kind}:${own}`;
    const known = this.#shared.get(key) ?? this.#subject(caller, person, operation, kind, false);
    this.#shared.set(key, known);
    return known;
  }

  /** A new subject that one request may use up. Its attachment has no stored content. */
  fresh(
    caller: Caller,
    person: Person | undefined,
    operation: Operation,
    kind: Kind,
  ): Promise<Subject> {
    return this.#subject(caller, person, operation, kind, true);
  }

  async #subject(
    caller: Caller,
    person: Person | undefined,
    operation: Operation,
    kind: Kind,
    fresh: boolean,
  ): Promise<Subject> {
    const { project: placeName, wrote } = caller;
    const { project, owner, workPackage } = this.#places[placeName];
    const me = { id: person?.id ?? this.#anonymousId };
    if (isFileOperation(operation))
      return this.#files.subject(caller, me, this.#places[placeName], operation, kind, fresh);
    if (isAccount(kind))
      return this.#account(
        kind,
        this.#places[placeName],
        kind === 'own account'
          ? person
          : /^(lock|unlock|erase) user$|membership$/.test(operation)
            ? await this.#app.given.user()
            : undefined,
        operation,
      );
    if (isNotification(kind))
      return this.#notification(operation, kind, this.#places[placeName], person);
    if (isStorage(kind)) return this.#storage(operation, kind, this.#places[placeName]);
    const writer = wrote === 'the container' || wrote === 'both' ? me : owner;
    const uploader =
      kind === "another's unclaimed"
        ? this.#otherUser
        : kind === 'own unclaimed' || wrote === 'the attachment' || wrote === 'both'
          ? me
          : owner;
    const isNew = operation.startsWith('claim') && operation.endsWith('on create');
    const container =
      kind in containerKinds && !isNew ? await this.#container(kind, project, writer) : undefined;
    const isKey = kind === 'own API key' || kind === "another's API key";
    const apiKeyId = isKey ? await this.#apiKey(kind === 'own API key' ? person : owner) : MISSING;
    const { id: attachmentId } =
      isKey || isNew || kind === 'record of a change'
        ? { id: MISSING }
        : await this.#attachment(operation, container, uploader, !fresh);
    return {
      ...noSubject,
      kind,
      projectId: project.id,
      workPackage,
      container,
      target:
        operation === 'move attachment'
          ? await this.#container(container ? kind : 'work package', project, writer)
          : undefined,
      attachmentId,
      authorId: uploader.id,
      claimedId: await this.#claimed(operation, me, workPackage),
      apiKeyId,
    };
  }

  /** A user with a picture: the caller, or a member of the project. */
  async #account(
    kind: Kind,
    { project, member, workPackage }: Place,
    self: Person | undefined,
    operation: Operation,
  ): Promise<Subject> {
    const { db, blobs, forgetIdentities } = this.#app.running.services;
    const { id: authorId } = self ?? member;
    const avatar_key = `avatar-of-${authorId}`;
    await db
      .write('users')
      .where({ id: authorId })
      .update({ avatar_key, avatar_type: 'image/png' });
    await blobs.put(avatar_key, Readable.from([png()]));
    if (operation === 'unlock user')
      await db.write('users').where({ id: authorId }).update({ status: 'locked' });
    if (operation === 'remove membership')
      await this.#app.given.membership(self!, project, ['view_work_packages']);
    forgetIdentities();
    const administeredId = await administeredBy(this.#app, operation, authorId);
    return { ...noSubject, kind, projectId: project.id, workPackage, authorId, administeredId };
  }

  /** A notification of the caller or of another user, in the state that the operation changes. */
  async #notification(
    operation: Operation,
    kind: Kind,
    { project, owner, workPackage }: Place,
    person: Person | undefined,
  ): Promise<Subject> {
    const { given } = this.#app;
    const internal = kind === 'own internal notification';
    const comment = await given.comment(workPackage, owner, { internal });
    const recipient = kind === "another's notification" ? this.#otherUser : person!;
    const { id: notificationId } = await given.notification(recipient, workPackage, owner, {
      activityId: comment.id,
      internal,
      reason: reasonOf({ kind }) as NotificationReason,
      read: operation.endsWith('as unread'),
    });
    return {
      ...noSubject,
      kind,
      projectId: project.id,
      workPackage,
      authorId: owner.id,
      notificationId,
    };
  }

  /** A storage without a server. Requests to it fail at once. */
  async #storage(
    operation: Operation,
    kind: Kind,
    { project, owner, workPackage }: Place,
  ): Promise<Subject> {
    const { given } = this.#app;
    const storage: StorageHandle = await given.storage({
      origin: `http://127.0.0.1:9/${Math.random()}`,
      client: { id: 'ours', secret: 'secret' },
      creator: owner,
    });
    const used = kind !== 'unused storage' && operation !== 'create project storage';
    const projectStorageId = used
      ? (await given.projectStorage(project, storage, { creator: this.#otherUser })).id
      : MISSING;
    return {
      ...noSubject,
      kind,
      projectId: project.id,
      workPackage,
      authorId: owner.id,
      storageId: storage.id,
      applicationId: storage.application.id,
      credentialsId: storage.credentialsId!,
      projectStorageId,
    };
  }

  /** An attachment in the state that the operation needs: uploaded, prepared with stored content, or quarantined. */
  async #attachment(
    operation: Operation,
    container: ContainerHandle | undefined,
    author: { id: number },
    blob: boolean,
  ): Promise<{ id: number }> {
    const {
      given,
      running: {
        services: { db, blobs },
      },
    } = this.#app;
    if (operation === 'release attachment')
      return given.attachment({ container, author, blob: false, status: 'quarantined' });
    if (/^restore|trash$/.test(operation)) return this.#inTrash(container, author);
    if (operation === 'view small picture') return this.#pictured(container, author);
    const isResumable = operation.endsWith(' resumable upload');
    if (operation !== 'complete upload' && !isResumable)
      return given.attachment({ container, author, blob });
    const row = await given.attachment({ container, author, blob: false, status: 'prepared' });
    const stagingKey = `staging/prepared-${row.id}`;
    await db.write('attachments').where({ id: row.id }).update({ staging_key: stagingKey });
    const times = { created_at: row.createdAt, updated_at: row.createdAt };
    if (isResumable) {
      await db
        .write('resumable_uploads')
        .insert({ attachment_id: row.id, metadata: '', received_bytes: 0, ...times });
      return row;
    }
    await blobs.put(
      stagingKey,
      (async function* bytes() {
        yield Buffer.alloc(row.fileSize);
      })(),
    );
    return row;
  }

  /** An attachment that was deleted. */
  async #inTrash(container: ContainerHandle | undefined, author: { id: number }) {
    const {
      given,
      running: { services },
    } = this.#app;
    const row = await given.attachment({ container, author });
    const keeping = { ...services, settings: { ...services.settings, trashDays: 30 } };
    await services.db.write.transaction((trx) =>
      discardAttachments(keeping, trx, [row], this.#otherUser),
    );
    return row;
  }

  /** An attachment with a small picture. */
  async #pictured(container: ContainerHandle | undefined, author: { id: number }) {
    const {
      given,
      running: {
        services: { db, blobs },
      },
    } = this.#app;
    const row = await given.attachment({ container, author, contentType: 'image/png' });
    const { bytes, digest } = PICTURE;
    const object = {
      name: 'small',
      contentType: 'image/webp',
      width: 8,
      height: 8,
      size: bytes.length,
      digest,
    };
    await blobs.put(`${row.blobKey}-small`, Readable.from([Buffer.from(bytes)]));
    await db.write('previews').insert({
      blob_key: row.blobKey,
      state: 'ready',
      objects: JSON.stringify([object]),
      attempts: 0,
      created_at: row.createdAt,
      updated_at: row.createdAt,
    });
    return row;
  }

  async #container(
    kind: Kind,
    project: { id: number },
    writer: { id: number },
  ): Promise<ContainerHandle> {
    const { given } = this.#app;
    const type = containerKindOf(kind);
    if (type !== 'Activity') return given.container(type, project, writer);
    return given.comment(await given.workPackage(project, writer), writer, {
      internal: kind === 'internal comment',
      system: kind === 'record of a change',
    });
  }

  async #claimed(
    operation: Operation,
    me: { id: number },
    workPackage: ContainerHandle,
  ): Promise<number> {
    if (!operation.startsWith('claim')) return MISSING;
    const author = operation.startsWith("claim another's") ? this.#otherUser : me;
    const container = operation.startsWith('claim claimed') ? workPackage : undefined;
    return (await this.#app.given.attachment({ author, container, blob: false })).id;
  }

  async #apiKey(owner: Person | undefined): Promise<number> {
    return owner ? (await this.#app.given.apiKey(owner)).id : MISSING;
  }

  /**
   * Runs a request and finds out whether it changed the database.
   * If the request may not write, any statement other than a select counts as a change.
   */
  async observe<T>(
    subject: Subject,
    work: () => Promise<T>,
    mayWrite: boolean,
  ): Promise<{ result: T; changed: boolean }> {
    let result: T | undefined;
    const before = mayWrite && (await this.#state(subject));
    const sent = await this.#app.statements(async () => {
      result = await work();
    });
    const changed = mayWrite
      ? !isDeepStrictEqual(await this.#state(subject), before)
      : sent.some((sql) => !/^select\b/i.test(sql));
    return { result: result as T, changed };
  }

  /** Everything that a request can change: the sizes of the tables, and the rows of the subject. */
  async #state({
    kind,
    projectId,
    workPackage,
    container,
    attachmentId,
    claimedId,
    apiKeyId,
    authorId,
    storageId,
    projectStorageId,
    applicationId,
    linkId,
    notificationId,
    remote,
  }: Subject): Promise<unknown> {
    const knex = this.#app.running.services.db.write;
    const of = container && tables[container.kind];
    const statements = remote
      ? [
          knex.raw(SIZES),
          knex.raw(
            'select * from file_links where id in (?, ?) or work_package_id = ? order by id',
            [linkId, claimedId, workPackage.id],
          ),
          knex.raw('select * from work_packages where id = ?', [workPackage.id]),
        ]
      : isNotification(kind)
        ? [knex.raw(SIZES), knex.raw('select * from notifications where id = ?', [notificationId])]
        : isAccount(kind)
          ? [
              knex.raw(SIZES),
              knex.raw('select * from users where id = ?', [authorId]),
              knex.raw('select * from projects where id = ?', [projectId]),
              // Each change by an administrator is in it.
              knex.raw('select count(*) as entries from audit_events'),
            ]
          : isStorage(kind)
            ? [
                knex.raw(SIZES),
                knex.raw('select * from storages where id = ?', [storageId]),
                knex.raw('select * from project_storages where id = ?', [projectStorageId]),
                knex.raw('select * from oauth_applications where id = ?', [applicationId]),
                knex.raw('select * from oauth_client_credentials where storage_id = ?', [
                  storageId,
                ]),
              ]
            : [
                knex.raw(SIZES),
                knex.raw(
                  `select * from attachments where id in (?, ?) ${of ? `or ${of.key} = ?` : ''} order by id`,
                  [attachmentId, claimedId, ...(of ? [container.id] : [])],
                ),
                of
                  ? knex.raw(`select * from ${of.table} where id = ?`, [container.id])
                  : knex.raw('select * from api_keys where id = ?', [apiKeyId]),
                knex.raw(
                  "select id, mail_preference from users where mail_preference <> 'immediate' order by id",
                ),
              ];
    return Promise.all(
      statements.map(async (statement) => {
        const answer = (await statement) as { rows?: unknown };
        return answer.rows ?? answer;
      }),
    );
  }
}

const tables = {
  WorkPackage: { table: 'work_packages', key: 'work_package_id' },
  Activity: { table: 'activities', key: 'activity_id' },
  Meeting: { table: 'meetings', key: 'meeting_id' },
  Post: { table: 'posts', key: 'post_id' },
  WikiPage: { table: 'wiki_pages', key: 'wiki_page_id' },
} as const;
const COUNTED = [
  ...Object.values(tables).map(({ table }) => table),
  'attachments',
  'api_keys',
  'storages',
  'project_storages',
  'oauth_applications',
  'oauth_client_credentials',
  'file_links',
  'notifications',
  'users',
  'roles',
  'projects',
];
const SIZES = `select ${COUNTED.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`;
