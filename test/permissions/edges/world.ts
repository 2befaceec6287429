/** Random people, projects and their contents, and the kinds of changes that can happen to them. */
import { Readable } from 'node:stream';
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { permissions } from '../../../src/policies/permissions.js';
import type { App } from '../../support/app.js';
import type { Person, StorageHandle } from '../../support/factories.js';
import type { Caller } from './graph.js';

const LOGINS = ['ada', 'ben', 'cem', 'dia', 'eva'];
/** Takes part in nothing, but work packages are assigned to her. */
const ASSIGNEE = 'fay';
const PROJECTS = ['red', 'blue', 'green', 'grey'];
const ROLES = ['Keeper', 'Painter', 'Guest', 'Non member', 'Anonymous'];

/** Numbers below `most`, always the same for a seed (Park and Miller, 1988). */
export function randomNumbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}

/** In the order in which they happen. People are notified of files before the other changes. */
export const kindsOfChange = [
  'files and links arrive',
  'comments become internal or public',
  'work packages and comments move',
  'memberships and roles',
  'projects are archived, opened and closed',
  'people are locked',
  'rows are deleted',
] as const;
type KindOfChange = (typeof kindsOfChange)[number];

interface Comment {
  ref: string;
  internal: boolean;
}

export class World {
  readonly people = new Map<string, Person>();
  admin!: Person;
  readonly #locked = new Set<string>();
  /** The project of each work package. */
  readonly #packages = new Map<string, string>();
  /** The work package of each comment. */
  readonly #comments = new Map<string, { workPackage: string; comment: Comment }>();
  #packageIds: { [ref: string]: number } = {};
  #commentIds: { [ref: string]: number } = {};
  #storages: StorageHandle[] = [];

  constructor(
    private readonly app: App,
    private readonly random: (most: number) => number,
  ) {}

  /** Administrator, anonymous user, and two people whose keys are valid. */
  callers(): Caller[] {
    const people = [...this.people].filter(([login]) => !this.#locked.has(login));
    const first = this.random(people.length);
    const some = [people[first], people[(first + 1) % people.length]];
    return [this.admin, undefined, ...some.map((one) => one![1])];
  }

  readonly #chance = (percent: number) => this.random(100) < percent;
  readonly #one = <T>(values: readonly T[]): T => values[this.random(values.length)]!;

  async make(): Promise<void> {
    const { given } = this.app;
    this.admin = await given.user({ admin: true, login: 'root' });
    for (const login of LOGINS) this.people.set(login, await given.user({ login }));
    await given.user({ login: ASSIGNEE });
    for (const project of PROJECTS)
      for (const at of [1, 2]) {
        const ref = `${project}-${at}`;
        this.#packages.set(ref, project);
        for (const part of ['a', 'b', 'c'])
          this.#comments.set(`${ref}-${part}`, {
            workPackage: ref,
            comment: { ref: `${ref}-${part}`, internal: this.#chance(30) },
          });
      }
    const ids = await this.#import({ roles: this.#roles(), projects: this.#projects(true) });
    this.#packageIds = ids.workPackages;
    this.#commentIds = ids.activities;
    await this.#addStorages(ids.projects);
    await this.#mutate('createWebhook', 'CreateWebhookInput', {
      url: 'https://hooks.example.test/',
      events: ['ATTACHMENT_CREATED'],
    });
    for (const list of ['meetings', 'posts', 'wiki_pages'])
      for (const id of [1, 2, 3])
        await this.app.upload(`/api/v3/${list}/${id}/attachments`, { as: this.admin });
    for (const person of this.people.values())
      await this.app.upload('/api/v3/attachments', { as: person });
  }

  async change(kind: KindOfChange): Promise<void> {
    await this.#changes[kind]();
  }

  readonly #changes: { [kind in KindOfChange]: () => Promise<void> } = {
    'files and links arrive': async () => {
      const writers = [this.admin, ...this.people.values()];
      for (const id of Object.values(this.#commentIds))
        await this.app.upload(`/api/v3/activities/${id}/attachments`, { as: this.#one(writers) });
      for (const id of Object.values(this.#packageIds)) {
        await this.app.upload(`/api/v3/work_packages/${id}/attachments`, {
          as: this.#one(writers),
        });
        await this.#mutate('createFileLinks', 'CreateFileLinksInput', {
          workPackageId: String(id),
          fileLinks: this.#storages.map((storage) => ({
            storageId: String(storage.id),
            originData: { id: String(this.random(1_000)), name: 'plan.pdf' },
          })),
        });
      }
    },
    'comments become internal or public': async () => {
      for (const { comment } of this.#comments.values()) comment.internal = this.#chance(50);
      await this.#import({ projects: this.#projects(true) });
    },
    'work packages and comments move': async () => {
      for (const ref of this.#packages.keys())
        if (this.#chance(50)) this.#packages.set(ref, this.#one(PROJECTS));
      for (const comment of this.#comments.values())
        if (this.#chance(30)) comment.workPackage = this.#one([...this.#packages.keys()]);
      await this.#import({ projects: this.#projects(true) });
    },
    'memberships and roles': async () => {
      await this.#import({ roles: this.#roles(), projects: this.#projects(false) });
    },
    'projects are archived, opened and closed': async () => {
      await this.#import({
        projects: PROJECTS.map((identifier) => ({ ...this.#project(identifier), memberships: [] })),
      });
    },
    'people are locked': async () => {
      this.#locked.clear();
      for (const login of LOGINS)
        if (this.#chance(30) && this.#locked.size < 3) this.#locked.add(login);
      await this.#import({
        users: LOGINS.map((login) => ({
          login,
          firstName: 'Mia',
          lastName: `Ray ${this.random(100)}`,
          status: this.#locked.has(login) ? 'locked' : 'active',
        })),
      });
    },
    'rows are deleted': async () => {
      const drop = async (path: string) => void (await this.app.delete(path, this.admin));
      await drop(`/api/v3/work_packages/${this.#deleted(this.#packageIds)}`);
      const deletedComment = this.#deleted(this.#commentIds);
      await this.#mutate('deleteComment', 'DeleteCommentInput', { id: String(deletedComment) });
      for (const id of [2, 5, 9, 14]) await drop(`/api/v3/attachments/${id}`);
      for (const id of [1, 4]) await drop(`/api/v3/file_links/${id}`);
      await this.#mutate('deleteProjectStorage', 'DeleteProjectStorageInput', { id: '1' });
    },
  };

  /** Forgets one row, which is going to be deleted. @returns its id */
  #deleted(ids: { [ref: string]: number }): number {
    const ref = this.#one(Object.keys(ids));
    const id = ids[ref]!;
    delete ids[ref];
    this.#packages.delete(ref);
    this.#comments.delete(ref);
    for (const [key, { workPackage }] of this.#comments)
      if (workPackage === ref) {
        this.#comments.delete(key);
        delete this.#commentIds[key];
      }
    return id;
  }

  #roles() {
    return ROLES.map((name) => ({
      name,
      permissions: permissions.filter((permission) =>
        this.#chance(permission === 'view_work_packages' ? 75 : 50),
      ),
    }));
  }

  #project(identifier: string) {
    return {
      identifier,
      name: `The ${identifier} quay`,
      public: this.#chance(40),
      active: this.#chance(80),
      parent: PROJECTS[PROJECTS.indexOf(identifier) - 1] ?? null,
    };
  }

  #projects(withContents: boolean) {
    return PROJECTS.map((identifier) => ({
      ...this.#project(identifier),
      memberships: LOGINS.map((user) => ({
        user,
        roles: this.#chance(50) ? [] : [this.#one(ROLES)],
      })),
      ...(withContents && {
        workPackages: [...this.#packages]
          .filter(([, project]) => project === identifier)
          .map(([ref]) => this.#workPackage(ref)),
        ...Object.fromEntries(
          ['meetings', 'posts', 'wikiPages'].map((list) => [
            list,
            [
              {
                ref: `${list}-${identifier}`,
                [list === 'posts' ? 'subject' : 'title']: `About ${identifier}`,
                author: this.#one(LOGINS),
              },
            ],
          ]),
        ),
      }),
    }));
  }

  #workPackage(ref: string) {
    const person = () => (this.#chance(30) ? null : this.#one([...LOGINS, ASSIGNEE]));
    return {
      ref,
      subject: `Paint ${ref}`,
      author: this.#one(LOGINS),
      assignee: person(),
      responsible: person(),
      activities: [...this.#comments.values()]
        .filter(({ workPackage }) => workPackage === ref)
        .map(({ comment }) => ({
          ...comment,
          comment: `Secret of ${comment.ref}`,
          author: this.#one(LOGINS),
        })),
    };
  }

  async #addStorages(projects: { [identifier: string]: number }): Promise<void> {
    const { given } = this.app;
    this.#storages = [
      await given.storage({
        name: 'Shed',
        origin: 'http://127.0.0.1:9/shed',
        client: { id: 'shed', secret: 'a-secret' },
      }),
      await given.storage({
        name: 'Loft',
        origin: 'http://127.0.0.1:9/loft',
        client: { id: 'loft', secret: 'a-secret' },
      }),
    ];
    for (const storage of this.#storages) {
      for (const id of Object.values(projects))
        await given.projectStorage({ id }, storage, {
          creator: this.#one([...this.people.values()]),
        });
      for (const person of this.people.values())
        await given.storageTokens(person, storage, { accessToken: 'a-token' });
    }
  }

  #import(directory: object) {
    return importDirectory(this.app.running.services, () =>
      Readable.from([JSON.stringify(directory)]),
    );
  }

  /** As the administrator. */
  async #mutate(name: string, input: string, values: object): Promise<void> {
    const query = `mutation ($input: ${input}!) { ${name}(input: $input) { __typename } }`;
    const { errors } = await this.app.graphql(query, { input: values }, this.admin);
    if (errors) throw new Error(`${name}: ${JSON.stringify(errors)}`);
  }
}
