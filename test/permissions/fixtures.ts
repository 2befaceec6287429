/** The people and things that the cells speak of. */
import { isDeepStrictEqual } from 'node:util';
import type { App } from '../support/app.js';
import type {
  ContainerHandle,
  Kind as ContainerKind,
  Person,
  StorageHandle,
} from '../support/factories.js';
import type { Caller, Kind, Operation } from './expected.js';
import { isAboutFiles, RemoteFiles } from './storage-fixtures.js';
import { MISSING, noSubject, type Place, type Subject } from './targets.js';

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

export class World {
  readonly #app: App;
  readonly #places: { [name in Caller['project']]: Place };
  readonly #elsewhere: { id: number };
  readonly #visitorId: number;
  /** Wrote nothing but unclaimed attachments, and is a member of nothing. */
  readonly #somebodyElse: Person;
  readonly #files: RemoteFiles;
  readonly #shared = new Map<string, Promise<Subject>>();

  private constructor(
    app: App,
    places: { [name in Caller['project']]: Place },
    files: RemoteFiles,
    elsewhere: { id: number },
    visitorId: number,
    somebodyElse: Person,
  ) {
    this.#app = app;
    this.#places = places;
    this.#files = files;
    this.#elsewhere = elsewhere;
    this.#visitorId = visitorId;
    this.#somebodyElse = somebodyElse;
  }

  static async make(app: App): Promise<World> {
    const place = async (isPublic: boolean): Promise<Place> => {
      const project = await app.given.project({ isPublic });
      const owner = await app.given.user();
      return { project, owner, workPackage: await app.given.workPackage(project, owner) };
    };
    const { data } = await app.graphql('{ viewer { databaseId } }');
    const places = { private: await place(false), public: await place(true) };
    return new World(
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

  /** The caller with the permissions of the column, roles of the public included; undefined for a visitor. */
  async enter(caller: Caller): Promise<Person | undefined> {
    const { given } = this.#app;
    await given.role(caller.nonMember ?? [], 'Non member');
    await given.role(caller.anonymous ?? [], 'Anonymous');
    this.#shared.clear();
    if (caller.visitor) return undefined;
    const person = await given.user({ admin: caller.admin ?? false });
    if (caller.member)
      await given.membership(person, this.#places[caller.project].project, caller.member);
    if (caller.elsewhere) await given.membership(person, this.#elsewhere, caller.elsewhere);
    if (!caller.unconnected) await this.#files.connect(person);
    return person;
  }

  /** A subject that the caller's operations share as long as they leave it in place. */
  shared(
    caller: Caller,
    person: Person | undefined,
    operation: Operation,
    kind: Kind,
  ): Promise<Subject> {
    const own = /^(claim|drop|complete|release|create project storage)/.test(operation)
      ? operation
      : isAboutFiles(operation)
        ? 'files'
        : '';
    const key = `${kind}:${own}`;
    const known = this.#shared.get(key) ?? this.#subject(caller, person, operation, kind, false);
    this.#shared.set(key, known);
    return known;
  }

  /** A subject of its own, to be used up; nobody reads the bytes of its attachment. */
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
    const me = { id: person?.id ?? this.#visitorId };
    if (isAboutFiles(operation))
      return this.#files.subject(caller, me, this.#places[placeName], operation, kind, fresh);
    if (isStorage(kind)) return this.#storage(operation, kind, this.#places[placeName]);
    const writer = wrote === 'the container' || wrote === 'both' ? me : owner;
    const uploader =
      kind === "another's unclaimed"
        ? this.#somebodyElse
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
      attachmentId,
      authorId: uploader.id,
      claimedId: await this.#claimed(operation, me, workPackage),
      apiKeyId,
    };
  }

  /** A storage that nobody answers for: what is asked of it fails at once. */
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
      ? (await given.projectStorage(project, storage, { creator: this.#somebodyElse })).id
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

  /** A file as the operation needs it: finished, prepared with its bytes in the store, or in quarantine. */
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
    if (operation !== 'complete upload') return given.attachment({ container, author, blob });
    const row = await given.attachment({ container, author, blob: false, status: 'prepared' });
    const stagingKey = `staging/prepared-${row.id}`;
    await db.write('attachments').where({ id: row.id }).update({ staging_key: stagingKey });
    await blobs.put(
      stagingKey,
      (async function* bytes() {
        yield Buffer.alloc(row.fileSize);
      })(),
    );
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
    const author = operation.startsWith("claim another's") ? this.#somebodyElse : me;
    const container = operation.startsWith('claim claimed') ? workPackage : undefined;
    return (await this.#app.given.attachment({ author, container, blob: false })).id;
  }

  async #apiKey(owner: Person | undefined): Promise<number> {
    const { data } = await this.#app.graphql(
      'mutation ($name: String!) { createApiKey(input: { name: $name }) { apiKey { databaseId } } }',
      { name: `key ${Math.random()}` },
      owner,
    );
    return data?.createApiKey.apiKey.databaseId ?? MISSING;
  }

  /** Does something, and tells whether it changed anything. Whoever may not even try sends the database nothing but reads. */
  async watch<T>(
    subject: Subject,
    work: () => Promise<T>,
    mayTry: boolean,
  ): Promise<{ result: T; changed: boolean }> {
    let result: T | undefined;
    const before = mayTry && (await this.#state(subject));
    const sent = await this.#app.statements(async () => {
      result = await work();
    });
    const changed = mayTry
      ? !isDeepStrictEqual(await this.#state(subject), before)
      : sent.some((sql) => !/^select\b/i.test(sql));
    return { result: result as T, changed };
  }

  /** Everything that an operation could have changed: sizes of the tables, and the rows that it is about. */
  async #state({
    kind,
    workPackage,
    container,
    attachmentId,
    claimedId,
    apiKeyId,
    storageId,
    projectStorageId,
    applicationId,
    linkId,
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
      : isStorage(kind)
        ? [
            knex.raw(SIZES),
            knex.raw('select * from storages where id = ?', [storageId]),
            knex.raw('select * from project_storages where id = ?', [projectStorageId]),
            knex.raw('select * from oauth_applications where id = ?', [applicationId]),
            knex.raw('select * from oauth_client_credentials where storage_id = ?', [storageId]),
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
const SIZES = `select ${[...Object.values(tables).map(({ table }) => table), 'attachments', 'api_keys', 'storages', 'project_storages', 'oauth_applications', 'oauth_client_credentials', 'file_links'].map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`;
