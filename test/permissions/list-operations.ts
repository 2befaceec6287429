/** The requests of lists, of the form of a new work package, and of pictures. */
import { png, SET_AVATAR } from '../support/images.js';
import {
  cachedGet,
  inList,
  isFound,
  overGraphql,
  overRest,
  queryGraphql,
  rest,
  type Client,
  type OperationRequests,
  type Result,
} from './requests.js';
import type { listOperations } from './expected-lists.js';
import type { Subject } from './targets.js';

type ListOperation = (typeof listOperations)[number];

/** The ids of a HAL collection. */
const elements = (body: any): number[] => body._embedded.elements.map(({ id }: any) => id);
const filters = (name: string, operator: string, value: number | string) =>
  `pageSize=200&filters=${encodeURIComponent(JSON.stringify([{ [name]: { operator, values: [String(value)] } }]))}`;

/** A field of the project, read over GraphQL. */
const ofProject =
  (fields: string) =>
  (client: Client, { projectId }: Subject) =>
    queryGraphql(client, `query ($id: ID!) { project(id: $id) { ${fields} } }`, {
      id: String(projectId),
    });
const projectPath = ({ projectId }: Subject) => `/api/v3/projects/${projectId}`;

const offered = (field: string) => ({
  [field]: {
    isOffered: async (client: Client, subject: Subject) =>
      (await ofProject(`may: ${field}`)(client, subject)).body.project.may as boolean,
  },
});
const linked = (name: string) => ({
  [`the link ${name}`]: {
    isOffered: async (client: Client, subject: Subject) =>
      name in (await cachedGet(client, projectPath(subject))).body._links,
  },
});

const listOfKinds = (name: 'statuses' | 'types'): OperationRequests => ({
  rest: (client) => cachedGet(client, `/api/v3/${name}`),
  graphql: (client) => queryGraphql(client, `{ ${name} { databaseId } }`, {}),
});

/** The missing picture is told without a body. */
function ofPicture(answer: Parameters<typeof overRest>[0]): Result {
  const result = overRest(answer);
  return answer.status === 404 && answer.text === ''
    ? { ...result, refusal: { identifier: 'NotFound' } }
    : result;
}

export const listRequests: { readonly [operation in ListOperation]: OperationRequests } = {
  'list work packages': {
    rest: async ({ app, person }, { container }) =>
      inList(
        await rest(
          app.get(`/api/v3/work_packages?${filters('typeahead', '**', container!.id)}`, person),
        ),
        elements,
        container!.id,
      ),
    graphql: async (client, { container }) =>
      inList(
        await queryGraphql(
          client,
          'query ($search: String!) { workPackages(filter: { search: $search }, first: 100) { nodes { databaseId } } }',
          { search: String(container!.id) },
        ),
        (body) => body.workPackages.nodes.map(({ databaseId }: any) => databaseId),
        container!.id,
      ),
  },
  'list work packages of project': {
    rest: async ({ app, person }, subject) =>
      inList(
        await rest(
          app.get(
            `${projectPath(subject)}/work_packages?${filters('typeahead', '**', subject.container!.id)}`,
            person,
          ),
        ),
        elements,
        subject.container!.id,
      ),
    offers: { ...offered('viewerCanViewWorkPackages'), ...linked('workPackages') },
  },
  'list projects': {
    rest: async ({ app, person }, { projectId }) =>
      inList(await rest(app.get('/api/v3/projects?pageSize=200', person)), elements, projectId),
    graphql: async (client, { projectId }) =>
      inList(
        await queryGraphql(client, '{ projects(first: 100) { nodes { databaseId } } }', {}),
        (body) => body.projects.nodes.map(({ databaseId }: any) => databaseId),
        projectId,
      ),
  },
  'list projects for new work packages': {
    rest: async ({ app, person }, { projectId }) =>
      inList(
        await rest(app.get('/api/v3/work_packages/available_projects?pageSize=200', person)),
        elements,
        projectId,
      ),
  },
  'list statuses': listOfKinds('statuses'),
  'list types': listOfKinds('types'),
  'list types of project': {
    rest: (client, subject) => cachedGet(client, `${projectPath(subject)}/types`),
    graphql: ofProject('types { databaseId }'),
  },
  'list members': {
    graphql: ofProject('members { nodes { databaseId } } memberships { totalCount }'),
  },
  'list assignees': {
    rest: ({ app, person }, subject) =>
      rest(app.get(`${projectPath(subject)}/available_assignees`, person)),
    graphql: ofProject('availableAssignees { databaseId }'),
  },
  'fill form of new work package': {
    rest: ({ app, person }, subject) =>
      rest(app.post(`${projectPath(subject)}/work_packages/form`, person, { subject: 'New' })),
    graphql: (client, { projectId }) =>
      queryGraphql(
        client,
        'query ($projectId: ID!) { workPackageForm(input: { projectId: $projectId, subject: "New" }) { subject } }',
        { projectId: String(projectId) },
      ),
    offers: { ...offered('viewerCanCreateWorkPackage'), ...linked('createWorkPackage') },
  },
  'list users': {
    // The matrix makes people too: more than a page has.
    graphql: (client, { authorId }) => isFound(client, 'users', authorId),
  },
  'view picture': {
    rest: async ({ app, person }, { authorId }) =>
      ofPicture(await app.get(`/api/v3/users/${authorId}/avatar`, person)),
    graphql: async (client, { authorId }) => {
      const result = await queryGraphql(
        client,
        'query ($id: ID!) { user(id: $id) { avatarUrl } }',
        {
          id: String(authorId),
        },
      );
      return result.outcome === 'ok' && result.body.user.avatarUrl === null
        ? { ...result, outcome: 'ok, but without a picture' }
        : result;
    },
  },
  'set picture': {
    writes: true,
    graphql: async ({ app, person }, { authorId }) =>
      overGraphql(await app.graphqlUpload(SET_AVATAR, { id: String(authorId) }, png(), person)),
  },
  'remove picture': {
    writes: true,
    graphql: (client, { authorId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { removeAvatar(input: { userId: $id }) { user { databaseId } } }',
        { id: String(authorId) },
      ),
  },
};
