/** A server with users and two working storages for all sequences on one database. Each sequence has its own projects. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { deleteAttachment } from '../../../src/actions/files/attachments/delete-attachments.js';
import { finalizeUpload } from '../../../src/actions/files/uploads/finalize-upload.js';
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { acquireAttachment } from '../../../src/actions/base/leases/attachment-queues.js';
import { readConfig } from '../../../src/config.js';
import { makeContext, type Services } from '../../../src/context.js';
import { FileLink } from '../../../src/models/file-link.js';
import { ResumableUpload } from '../../../src/models/resumable-upload.js';
import { User } from '../../../src/models/user.js';
import { startServer } from '../../../src/server.js';
import { Wire } from '../fuzz/requests/wire.js';
import { stockedFileServer, type Stocked } from '../../storages/storages-with-files.js';
import { factories, type Given, type StorageHandle } from '../../support/factories.js';
import { Caller } from './caller.js';
import type { Container, Model, Person, Project, RemoteFile } from './model.js';
import { publicRoles, roles, type RoleName } from './rules.js';
import type { Real, Tally } from './step.js';
import { pathOf } from './views.js';

const SECRET_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
/** An id that no record has. */
const NOTHING = 999_999_999;
const SERVERS = 2;

/** The role of each member in each project, as an index. The number of roles means: no member. */
export type Start = number[];
export const MEMBERS = 3;
export const PROJECTS = 3;
export const roleNames = Object.keys(roles) as RoleName[];

export interface World {
  /** A new model, and the service in the same state. */
  begin(start: Start, tally: Tally): Promise<{ model: Model; real: Real }>;
  stop(): Promise<void>;
}

/** @param database address of an empty one, or undefined for SQLite */
export async function openWorld(database: string | undefined): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-sequences-'));
  const config = readConfig({
    DATABASE_URL: database ?? `sqlite:${join(folder, 'db.sqlite3')}`,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    SECRET_KEY,
    PORT: '0',
    BACKGROUND_WORK: 'false',
    SHUTDOWN_SECONDS: '0',
    BUSY_REQUESTS: '100000',
    TRASH_DAYS: '30',
    PENDING_UPLOADS: '1000000',
  });
  const running = await startServer(config, pino({ level: 'silent' }));
  const { services } = running;
  const given = factories(services);
  const wire = new Wire(running.address);
  const people = await makePeople(services, given);
  const servers = await Promise.all(Array.from({ length: SERVERS }, stockedFileServer));
  const storages: StorageHandle[] = [];
  for (const server of servers) storages.push(await connect(given, server, people));
  const files = [0, 1, 2, 3].map((index) => fileOf(servers, index));
  const roleIds = new Map<RoleName, number>();
  for (const name of roleNames) roleIds.set(name, await given.role([...roles[name]], name));
  return {
    begin: async (start, tally) => {
      await clear(services, storages);
      const model = await furnish(services, given, { people, storages, files, roleIds, start });
      return { model, real: { ...realOf(services, given, wire), tally } };
    },
    stop: async () => {
      wire.close();
      await running.stop();
      await Promise.all(servers.map((server) => server.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makePeople({ db }: Services, given: Given): Promise<Person[]> {
  for (const [name, permissions] of Object.entries(publicRoles))
    await given.role([...permissions], name);
  const signedIn = async (
    name: string,
    login: string,
    { admin = false, connected = true } = {},
  ): Promise<Person> => ({ ...(await given.user({ login, admin })), name, admin, connected });
  const anonymous = (await User.query(db.write).findOne({ anonymous: true }))!;
  return [
    await signedIn('Adam, the administrator,', 'adam', { admin: true }),
    await signedIn('Mia', 'mia'),
    await signedIn('Bo', 'bo'),
    await signedIn('Cid', 'cid', { connected: false }),
    await signedIn('Sam, the stranger,', 'sam'),
    {
      name: 'an anonymous user',
      login: anonymous.login,
      id: anonymous.id,
      key: undefined,
      admin: false,
      connected: false,
    },
  ];
}

async function connect(given: Given, server: Stocked, people: Person[]): Promise<StorageHandle> {
  const storage = await given.storage(server.storage);
  for (const person of people.filter(({ connected }) => connected))
    await given.storageTokens(person, storage, { ...server.grant(), originUserId: server.userId });
  return storage;
}

/** The same in all storages: two files that all users read, a hidden one and a removed one. */
function fileOf(servers: Stocked[], index: number): RemoteFile {
  const name = `remote ${index}.txt`;
  const [originId, ...others] = servers.map((server) => server.file(`/${name}`, { content: name }));
  if (others.some((other) => other !== originId))
    throw new Error('The storages count differently.');
  for (const server of servers) {
    if (index === 2) server.hide(originId!);
    if (index === 3) server.remove(originId!);
  }
  return {
    originId: originId!,
    name,
    status: index === 2 ? 'ViewNotAllowed' : index === 3 ? 'NotFound' : 'ViewAllowed',
  };
}

/** Records of earlier sequences that this one could see. */
async function clear({ db, forgetIdentities }: Services, storages: StorageHandle[]): Promise<void> {
  await db.write('memberships').delete();
  await db.write('project_storages').delete();
  await db
    .write('storages')
    .whereNotIn(
      'id',
      storages.map(({ id }) => id),
    )
    .delete();
  forgetIdentities();
}

interface Furniture {
  people: Person[];
  storages: StorageHandle[];
  files: RemoteFile[];
  roleIds: Map<RoleName, number>;
  start: Start;
}

const projectNames = ['public project', 'private project', 'secret project'];

/** Projects with a few records, and one missing record of each kind. */
async function furnish(
  services: Services,
  given: Given,
  { people, storages, files, roleIds, start }: Furniture,
): Promise<Model> {
  const projects: Project[] = [];
  for (const [index, name] of projectNames.entries()) {
    const isPublic = index === 0;
    projects.push({
      ...(await given.project({ name, isPublic })),
      isPublic,
      members: new Map(
        people.slice(1, 1 + MEMBERS).flatMap((person, place) => {
          const role = roleNames[start[index * MEMBERS + place]!];
          return role ? [[person, role] as const] : [];
        }),
      ),
    });
  }
  await enrol(services, projects, roleIds);
  const admin = people[0]!;
  const first = projects[0]!;
  const containers: Container[] = [];
  const add = (
    handle: { id: number; kind: Container['kind']; title: string | null },
    project: Project,
    more: Partial<Container> = {},
  ) =>
    containers.push({
      ...handle,
      project,
      author: admin,
      internal: false,
      workPackage: undefined,
      lockVersion: 0,
      gone: false,
      ...more,
    });
  for (const project of projects) add(await given.workPackage(project, admin), project);
  const [one, other] = [containers[0]!, containers[1]!];
  for (const internal of [true, false])
    add(
      await given.comment({ id: other.id, projectId: other.project.id }, people[1]!, { internal }),
      other.project,
      { author: people[1]!, internal, workPackage: other },
    );
  add(await given.meeting(first, admin), first);
  add(await given.wikiPage(projects[1]!, admin), projects[1]!);
  // An earlier sequence may have renamed some.
  const storedStorages: { id: number; name: string }[] = await services.db
    .write('storages')
    .whereIn(
      'id',
      storages.map(({ id }) => id),
    )
    .orderBy('id')
    .select('id', 'name');
  const kept = storedStorages.map((row) => ({ ...row, answers: true, gone: false }));
  const never = { id: NOTHING, gone: true };
  containers.push({ ...one, ...never }, { ...one, ...never, kind: 'Post' });
  const nowhere = { ...never, name: 'Nothing', answers: false };
  const attachment = {
    fileName: 'b.txt',
    content: 'first',
    description: '',
    author: people[1]!,
    status: 'uploaded',
    arrived: true,
    completed: false,
  } as const;
  const link = { storage: kept[0]!, file: files[0]!, name: 'first.txt', creator: people[1]! };
  const unfinished = { ...attachment, status: 'prepared' } as const;
  const model: Model = {
    people,
    projects,
    containers,
    files,
    storages: [...kept, nowhere],
    projectStorages: [
      ...(await used(given, projects, kept, admin)),
      { ...never, project: first, storage: nowhere, creator: admin },
    ],
    attachments: [{ ...never, ...attachment, container: undefined }],
    fileLinks: [{ ...never, ...link, container: undefined }],
  };
  for (const container of [undefined, one, other]) {
    model.attachments.push({
      ...attachment,
      container,
      gone: false,
      id: (await given.attachment({ ...attachment, container: container && handleOf(container) }))
        .id,
    });
    model.fileLinks.push({
      ...link,
      container,
      gone: false,
      id: await linked(services, link, container),
    });
  }
  const upload = { ...unfinished, person: unfinished.author, container: one };
  model.attachments.push(
    { ...unfinished, container: one, gone: false, id: await prepare(services, given, upload) },
    {
      ...unfinished,
      container: one,
      gone: false,
      arrived: false,
      received: 0,
      id: await begin(services, given, { ...upload, arrived: false }),
    },
  );
  const { id } = await given.attachment({ ...attachment, container: handleOf(one) });
  await remove(services, admin, id);
  model.attachments.push({
    ...attachment,
    container: one,
    id,
    gone: true,
    trash: { deletedBy: admin },
  });
  return model;
}

/** A resumable upload of which no byte has arrived. */
async function begin(
  services: Services,
  given: Given,
  upload: Parameters<Real['prepared']>[0],
): Promise<number> {
  const id = await prepare(services, given, upload);
  const time = new Date().toISOString();
  await ResumableUpload.query(services.db.write).insert({
    attachmentId: id,
    metadata: '',
    receivedBytes: 0,
    createdAt: time,
    updatedAt: time,
  });
  return id;
}

/** Puts an attachment into the trash. */
async function remove(services: Services, person: Person, id: number): Promise<void> {
  const user = await User.query(services.db.read).findById(person.id).throwIfNotFound();
  await deleteAttachment(makeContext(services, user), id);
}

const handleOf = (container: Container) => ({
  ...container,
  projectId: container.project.id,
  path: pathOf(container),
  attachments: '',
  globalId: '',
});

async function linked(
  { db }: Services,
  {
    storage,
    file,
    name,
    creator,
  }: Pick<Model['fileLinks'][number], 'storage' | 'file' | 'name' | 'creator'>,
  container: Container | undefined,
): Promise<number> {
  const time = new Date().toISOString();
  const { id } = await FileLink.query(db.write)
    .insert({
      storageId: storage.id,
      workPackageId: container?.id ?? null,
      creatorId: creator.id,
      originId: file.originId,
      originName: name,
      createdAt: time,
      updatedAt: time,
    })
    .returning('id');
  return id;
}

/** One storage is used in all projects except the last, the other one in none. */
const used = (given: Given, projects: Project[], storages: Model['storages'], creator: Person) =>
  Promise.all(
    projects.slice(0, -1).map(async (project) => {
      const { id } = await given.projectStorage(project, storages[0]!, { creator });
      return { id, project, storage: storages[0]!, creator, gone: false };
    }),
  );

async function enrol(
  { db, forgetIdentities }: Services,
  projects: Project[],
  roleIds: Map<RoleName, number>,
): Promise<void> {
  const time = new Date().toISOString();
  const members = projects.flatMap(({ id, members: of }) =>
    [...of].map(([person, role]) => ({ project_id: id, user_id: person.id, role })),
  );
  if (members.length === 0) return;
  const rows: { id: number; project_id: number; user_id: number }[] = await db
    .write('memberships')
    .insert(
      members.map(({ project_id, user_id }) => ({
        project_id,
        user_id,
        created_at: time,
        updated_at: time,
      })),
    )
    .returning(['id', 'project_id', 'user_id']);
  await db.write('membership_roles').insert(
    rows.map(({ id, ...key }) => ({
      membership_id: id,
      role_id: roleIds.get(
        members.find((one) => one.project_id === key.project_id && one.user_id === key.user_id)!
          .role,
      )!,
    })),
  );
  forgetIdentities();
}

function realOf(services: Services, given: Given, wire: Wire): Omit<Real, 'tally'> {
  const { db } = services;
  return {
    lines: [],
    caller: (person) => new Caller(wire, person),
    async importProject({ identifier, name, isPublic, members }) {
      const memberships = [...members].map(([{ login }, role]) => ({ user: login, roles: [role] }));
      const file = Buffer.from(
        JSON.stringify({ projects: [{ identifier, name, public: isPublic, memberships }] }),
      );
      await importDirectory(services, () => Readable.from([file]));
    },
    async endMembership(project, person) {
      await db.write('memberships').where({ project_id: project.id, user_id: person.id }).delete();
      services.forgetIdentities();
    },
    prepared: (upload) => prepare(services, given, upload),
    async finalise() {
      for (
        let row = await acquireAttachment(services, 'finalization');
        row;
        row = await acquireAttachment(services, 'finalization')
      ) {
        const author = await User.query(db.read).findById(row.authorId).throwIfNotFound();
        await finalizeUpload(makeContext(services, author), row, new AbortController().signal);
      }
    },
  };
}

async function prepare(
  { db, blobs }: Services,
  given: Given,
  { person, container, fileName, content, arrived }: Parameters<Real['prepared']>[0],
): Promise<number> {
  const { id } = await given.attachment({
    author: person,
    container: container && handleOf(container),
    fileName,
    content,
    status: 'prepared',
    blob: false,
  });
  const stagingKey = `staging/prepared-${id}`;
  if (arrived) await blobs.put(stagingKey, Readable.from([Buffer.from(content)]));
  await db.write('attachments').where({ id }).update({ staging_key: stagingKey });
  return id;
}
