/** Operations on storages and project storages. */
import type { Outcome } from '../caller.js';
import {
  newestFirst,
  pick,
  present,
  removeProjectStorage,
  removeStorage,
  usedIn,
  type Project,
  type ProjectStorage,
  type Storage,
} from '../model.js';
import { holds, refusalOf, seesProject, seesProjectStorage, seesStorage } from '../rules.js';
import { fields, graph, hal } from '../normalized-answers.js';
import type { Operation } from '../step.js';
import { pageOf, projectStorageView, storageView } from '../views.js';
import { some } from './draw.js';

const CREATE = `mutation ($name: String!) { createStorage(input: { type: CLOUD_DRIVE, name: $name }) { storage { ${fields.storage} } } }`;
const USE = `mutation ($projectId: ID!, $storageId: ID!) { createProjectStorage(input: { projectId: $projectId, storageId: $storageId }) { projectStorage { ${fields.projectStorage} } } }`;

const made = (shown: { id: number }): Outcome => ({ shown, made: [shown.id] });
const nameOf = ({ id, gone }: Storage): string => `the ${gone ? 'gone ' : ''}storage ${id}`;

let names = 0;

/** A drive without settings, so it has no server. */
export const create: Operation = (model, person) => {
  const name = `Drive ${(names += 1)}`;
  let storage: Storage;
  return {
    says: 'makes a storage',
    refusal: refusalOf(true, person.admin),
    rest: (caller) =>
      caller.rest('POST', '/api/v3/storages', (body) => made(hal.storage(body)), {
        name,
        _links: { type: { href: 'urn:service-org:api:v3:storages:CloudDrive' } },
      }),
    graphql: (caller) =>
      caller.graphql(CREATE, { name }, (data) => made(graph.storage(data.createStorage.storage))),
    change([id]) {
      storage = { id: id!, name, answers: false, gone: false };
      model.storages.push(storage);
    },
    shows: () => storageView(model, person, storage),
  };
};

export const rename: Operation = (model, person, { a }) => {
  const storage = some(model.storages, a);
  const name = `Other name ${(names += 1)}`;
  return {
    says: `renames ${nameOf(storage)}`,
    refusal: refusalOf(seesStorage(model, person, storage), person.admin),
    rest: (caller) =>
      caller.rest(
        'PATCH',
        `/api/v3/storages/${storage.id}`,
        (body) => ({ shown: hal.storage(body) }),
        { name },
      ),
    graphql: (caller) =>
      caller.graphql(
        `mutation ($id: ID!, $name: String!) { updateStorage(input: { id: $id, name: $name }) { storage { ${fields.storage} } } }`,
        { id: String(storage.id), name },
        (data) => ({ shown: graph.storage(data.updateStorage.storage) }),
      ),
    change: () => void (storage.name = name),
    shows: () => storageView(model, person, storage),
  };
};

/** Working storages stay, because the next sequences need them. */
export const remove: Operation = (model, person, { a }) => {
  const storage = some(
    model.storages.filter(({ answers }) => !answers),
    a,
  );
  return {
    says: `deletes ${nameOf(storage)}`,
    refusal: refusalOf(seesStorage(model, person, storage), person.admin),
    rest: (caller) =>
      caller.rest('DELETE', `/api/v3/storages/${storage.id}`, (_, { status, text }) => ({
        shown: `${status} ${text}`,
      })),
    graphql: (caller) =>
      caller.graphql(
        'mutation ($id: ID!) { deleteStorage(input: { id: $id }) { deletedStorageId } }',
        { id: String(storage.id) },
        () => ({ shown: '204 ' }),
      ),
    change: () => removeStorage(model, storage),
    shows: () => '204 ',
  };
};

export const view: Operation = (model, person, { a }) => {
  const storage = some(model.storages, a);
  return {
    says: `looks at ${nameOf(storage)}`,
    refusal: refusalOf(seesStorage(model, person, storage), true),
    rest: (caller) =>
      caller.rest('GET', `/api/v3/storages/${storage.id}`, (body) => ({
        shown: hal.storage(body),
      })),
    graphql: (caller) =>
      caller.graphql(
        `query ($id: ID!) { storage(id: $id) { ${fields.storage} } }`,
        { id: String(storage.id) },
        (data) => ({ shown: graph.storage(data.storage) }),
      ),
    shows: () => storageView(model, person, storage),
  };
};

export const list: Operation = (model, person, { a }) => {
  const pageSize = 1 + (a % 4);
  return {
    says: `lists the storages, pages of ${pageSize}`,
    rest: (caller) =>
      caller.rest('GET', `/api/v3/storages?pageSize=${pageSize}`, (body) => ({
        shown: hal.list(body, hal.storage),
      })),
    graphql: (caller) =>
      caller.graphql(
        `query ($first: Int) { storages(first: $first) { totalCount nodes { ${fields.storage} } } }`,
        { first: pageSize },
        (data) => ({ shown: graph.list(data.storages, graph.storage) }),
      ),
    shows() {
      const page = pageOf(
        newestFirst(model.storages.filter((storage) => seesStorage(model, person, storage))),
        1,
        pageSize,
      );
      return {
        ...page,
        elements: page.elements.map((storage) => storageView(model, person, storage)),
      };
    },
  };
};

const administers = (person: Parameters<Operation>[1], project: Project): boolean =>
  holds(person, project, 'manage_files_in_project');

export const use: Operation = (model, person, { a, b }) => {
  // Often a former storage of the project: its old links must not come back.
  const former = model.projectStorages.filter((one) => one.gone && !one.storage.gone);
  const { project, storage } =
    b % 2 === 0 && former.length > 0
      ? pick(former, a)
      : { project: pick(model.projects, a), storage: some(model.storages, b) };
  return {
    says: `gives the ${project.name} ${nameOf(storage)}`,
    refusal: refusalOf(
      seesProject(person, project),
      administers(person, project),
      seesStorage(model, person, storage) && !usedIn(model, project, storage),
    ),
    graphql: (caller) =>
      caller.graphql(
        USE,
        { projectId: String(project.id), storageId: String(storage.id) },
        (data) => made(graph.projectStorage(data.createProjectStorage.projectStorage)),
      ),
    change: ([id]) =>
      void model.projectStorages.push({ id: id!, project, storage, creator: person, gone: false }),
    shows: () => projectStorageView(model.projectStorages.at(-1)!),
  };
};

const useName = ({ id, gone, project, storage }: ProjectStorage): string =>
  `the ${gone ? 'gone ' : ''}use ${id} of storage ${storage.id} by the ${project.name}`;

export const dismiss: Operation = (model, person, { a }) => {
  const one = some(model.projectStorages, a);
  return {
    says: `ends ${useName(one)}`,
    refusal: refusalOf(seesProjectStorage(person, one), administers(person, one.project)),
    graphql: (caller) =>
      caller.graphql(
        'mutation ($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }',
        { id: String(one.id) },
        () => ({}),
      ),
    change: () => removeProjectStorage(model, one),
  };
};

export const viewUse: Operation = (model, person, { a }) => {
  const one = some(model.projectStorages, a);
  return {
    says: `looks at ${useName(one)}`,
    refusal: refusalOf(seesProjectStorage(person, one), true),
    rest: (caller) =>
      caller.rest('GET', `/api/v3/project_storages/${one.id}`, (body) => ({
        shown: hal.projectStorage(body),
      })),
    graphql: (caller) =>
      caller.graphql(
        `query ($id: ID!) { projectStorage(id: $id) { ${fields.projectStorage} } }`,
        { id: String(one.id) },
        (data) => ({ shown: graph.projectStorage(data.projectStorage) }),
      ),
    shows: () => projectStorageView(one),
  };
};

export const listUses: Operation = (model, person) => ({
  says: 'lists the storages of projects',
  rest: (caller) =>
    caller.rest('GET', '/api/v3/project_storages', (body) => ({
      shown: hal.list(body, hal.projectStorage),
    })),
  graphql: (caller) =>
    caller.graphql(
      `{ projectStorages(first: 200) { totalCount nodes { ${fields.projectStorage} } } }`,
      {},
      (data) => ({ shown: graph.list(data.projectStorages, graph.projectStorage) }),
    ),
  shows: () =>
    pageOf(
      newestFirst(
        present(model.projectStorages).filter((one) => seesProjectStorage(person, one)),
      ).map(projectStorageView),
      1,
      1_000,
    ),
});
