/** Storages with fake servers. Each has one file with links to it. */
import type { App } from '../support/app.js';
import type { ContainerHandle, Person, StorageHandle } from '../support/factories.js';
import { linkIn, stockedFileServer, type Stocked } from '../storages/storages-with-files.js';
import type { Caller, Kind, Operation } from './expected.js';
import { linkKinds } from './expected-files.js';
import { noSubject, type Place, type Subject } from './targets.js';

/** A storage whose server answers. */
export interface Remote {
  handle: StorageHandle;
  server: Stocked;
  /** A file in its root. */
  fileId: string;
  /** The columns of a link to that file. They match the storage, so reading a link updates nothing. */
  known: object;
}

interface Linked {
  workPackage: ContainerHandle;
  remote: Remote;
  linkId: number;
  linkToUnusedId: number;
}

export const FILE = 'plan.txt';
/** The folder for new files and folders. The root stays small. */
export const FOLDER = '/made';

const isLink = (kind: Kind): boolean => (linkKinds as readonly Kind[]).includes(kind);

export class RemoteFiles {
  private constructor(
    private readonly app: App,
    private readonly places: { [name in Caller['project']]: Linked },
    private readonly unused: Remote,
    /** Created the file links, and has no other role here. */
    private readonly linker: Person,
  ) {}

  static async make(
    app: App,
    places: { [name in Caller['project']]: Place },
  ): Promise<RemoteFiles> {
    const linker = await app.given.user();
    const unused = await remoteIn(app);
    const linked = async ({ project, owner }: Place): Promise<Linked> => {
      const remote = await remoteIn(app);
      await app.given.projectStorage(project, remote.handle);
      const workPackage = await app.given.workPackage(project, owner);
      const link = (to: Remote) =>
        linkIn(app, { person: linker, workPackage }, to.handle, to.fileId, to.known);
      return {
        workPackage,
        remote,
        linkId: await link(remote),
        linkToUnusedId: await link(unused),
      };
    };
    return new RemoteFiles(
      app,
      { private: await linked(places.private), public: await linked(places.public) },
      unused,
      linker,
    );
  }

  /** Gives a user an account at every storage. */
  async connect(person: Person): Promise<void> {
    for (const { handle, server } of this.#all())
      await this.app.given.storageTokens(person, handle, {
        ...server.grant(),
        originUserId: server.userId,
      });
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map(({ server }) => server.close()));
  }

  #all(): Remote[] {
    return [this.places.private.remote, this.places.public.remote, this.unused];
  }

  /** @param fresh the request may use up the subject */
  async subject(
    caller: Caller,
    me: { id: number },
    { project, owner }: Place,
    operation: Operation,
    kind: Kind,
    fresh: boolean,
  ): Promise<Subject> {
    const place = this.places[caller.project];
    const remote =
      kind === 'unused storage' || kind === 'file link to an unused storage'
        ? this.unused
        : place.remote;
    const known: Subject = {
      ...noSubject,
      kind,
      projectId: project.id,
      authorId: owner.id,
      workPackage: place.workPackage,
      storageId: remote.handle.id,
      remote,
      connected: !caller.isAnonymous && !caller.unconnected,
    };
    const linked = async (workPackage: ContainerHandle | null, creator: { id: number }) =>
      linkIn(
        this.app,
        { person: creator as Person, workPackage },
        remote.handle,
        remote.fileId,
        remote.known,
      );
    if (kind === 'own unclaimed file link' || kind === "another's unclaimed file link")
      return { ...known, linkId: await linked(null, kind.startsWith('own') ? me : this.linker) };
    if (isLink(kind) && !fresh)
      return { ...known, linkId: kind === 'file link' ? place.linkId : place.linkToUnusedId };
    const workPackage = await this.app.given.workPackage(project, owner);
    if (isLink(kind))
      return { ...known, workPackage, linkId: await linked(workPackage, this.linker) };
    if (!/^(claim|drop)/.test(operation)) return { ...known, workPackage };
    const container = operation.endsWith('on create') ? undefined : workPackage;
    if (operation.startsWith('drop'))
      return { ...known, workPackage, container, linkId: await linked(workPackage, this.linker) };
    if (operation.startsWith('claim claimed'))
      return { ...known, workPackage, container, claimedId: place.linkId };
    return {
      ...known,
      workPackage,
      container,
      claimedId: await linked(null, operation.startsWith('claim own') ? me : this.linker),
    };
  }
}

async function remoteIn(app: App): Promise<Remote> {
  const server = await stockedFileServer();
  const fileId = server.file(`/${FILE}`, {
    content: 'bricks',
    mimeType: 'text/plain',
    createdAt: '2026-01-02T03:04:05Z',
    modifiedAt: '2026-02-03T04:05:06Z',
  });
  server.folder(FOLDER);
  const known = {
    originName: FILE,
    originMimeType: 'text/plain',
    originSize: 6,
    originCreatedAt: '2026-01-02T03:04:05.000Z',
    originLastModifiedAt: '2026-02-03T04:05:06.000Z',
    originCreatedByName: 'Mia Ray',
    originLastModifiedByName: 'Mia Ray',
  };
  return { handle: await app.given.storage(server.storage), server, fileId, known };
}
