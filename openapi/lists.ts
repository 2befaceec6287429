/** The operations on lists of work packages and projects, on statuses and types, and on forms. */
import {
  filterParameter,
  hal,
  idOf,
  operation,
  pageParameters,
  wholeListParameters,
  projectName,
  queryParameter,
} from './operation-parts.js';
import { newWorkPackageForm } from './requests.js';

const workPackages = 'Work packages';
const projects = 'Projects';

const sortParameter = (most: string, columns: string) =>
  queryParameter('sortBy', `Orders as JSON, such as \`[["id","desc"]]\`: ${most} of ${columns}.`, {
    type: 'string',
    contentMediaType: 'application/json',
  });

const select = queryParameter(
  'select',
  'Members that the client needs. The answer has all members, so it also has these.',
  { type: 'string' },
);

const TIMES =
  '`>t-`, `<t-` and `t-` with a number of days, `t` today, `w` this week, `=d`, `<>d` with ISO times';

const workPackageList = {
  graphql: 'workPackages',
  parameters: [
    ...pageParameters(),
    filterParameter(
      'JSON such as `[{"typeahead":{"operator":"**","values":["lay cable"]}}]`. Filters: ' +
        '`typeahead` (`**`: every word is in a word of subject, project, type or status; a number ' +
        'is in the id), `search` (`**`: the text is in the subject or the description), ' +
        '`subjectOrId` (`**`), `subject` (`=`, `!`, `~`, `!~`), `id`, `type`, `author` (`=`, `!`), ' +
        '`project` (`=`, `!`, with all projects below it), `status` (also `o`, `c`, `*`), ' +
        '`assignee` and `responsible` (also `*`, `!*`; people have the value `me`), `createdAt` and ' +
        `\`updatedAt\` (${TIMES}), \`file_link_origin_id\`, ` +
        '`storage_id`, `storage_url`, `linkable_to_storage_id`, `linkable_to_storage_url` (`=`).',
    ),
    sortParameter(
      'at most three',
      '`id`, `subject`, `createdAt`, `updatedAt`, and in lists of up to 10,000 rows `project`, ' +
        '`type`, `status`, `assignee`, `responsible`, `author`',
    ),
    select,
    queryParameter('groupBy', 'There are no groups. The empty text is accepted.', {
      type: 'string',
      maxLength: 0,
    }),
    queryParameter('showSums', 'There are no sums. `true` is refused.', { type: 'boolean' }),
  ],
  answers: hal(200, 'WorkPackageCollection', 'A page of work packages.'),
};

const projectList = {
  graphql: 'projects',
  parameters: [
    ...pageParameters(),
    filterParameter(
      'JSON. Filters: `typeahead` (`**`), `nameAndIdentifier` (`=`, `!`, `~`, `!~`), `id` (`=`, ' +
        `\`!\`), \`active\` and \`public\` (\`=\`, \`!\`, \`t\` or \`f\`), \`createdAt\` (${TIMES}), ` +
        '`storageId`, `storageUrl` (`=`), `userAction` (`&=` all, `=` one, `!` none ' +
        'of `work_packages/create`, `work_packages/read`, `file_links/manage`, ' +
        '`file_links/view`). One element can have several.',
    ),
    sortParameter('one', '`id`, `name`, `createdAt`'),
    select,
  ],
  answers: hal(200, 'ProjectCollection', 'A page of projects.'),
};

const SEEN = 'Needs the permission view work packages in any project.';

const form = {
  tag: workPackages,
  graphql: 'workPackageForm',
  body: newWorkPackageForm,
  answers: hal(200, 'WorkPackageForm', 'The form, with all errors.'),
};

export const listPaths = {
  '/work_packages': {
    get: operation({
      ...workPackageList,
      operationId: 'listWorkPackages',
      tag: workPackages,
      summary: 'List and search work packages',
      description: `Those that the client sees. ${SEEN}`,
      refusals: ['InvalidQuery', 'MissingPermission'],
    }),
  },
  '/projects/{id}/work_packages': {
    get: operation({
      ...workPackageList,
      operationId: 'listProjectWorkPackages',
      tag: workPackages,
      summary: 'List and search the work packages of a project',
      description: 'Needs the permission view work packages there.',
      refusals: ['InvalidQuery', 'MissingPermission', 'NotFound'],
    }),
  },
  '/work_packages/available_projects': {
    get: operation({
      ...projectList,
      operationId: 'listAvailableProjects',
      tag: workPackages,
      summary: 'List the projects in which the client can create work packages',
      description: 'Only active projects.',
      refusals: ['InvalidQuery', 'MissingPermission'],
    }),
  },
  '/work_packages/form': {
    post: operation({
      ...form,
      operationId: 'checkWorkPackage',
      summary: 'Check a new work package',
      description:
        'Nothing is stored. The answer is 200 even if there are errors. Needs the permission ' +
        'add work packages.',
      refusals: [
        'InvalidRequestBody',
        'MissingPermission',
        'NotAcceptable',
        'NotFound',
        'PropertyConstraintViolation',
        'TypeNotSupported',
      ],
    }),
  },
  '/projects/{id}/work_packages/form': {
    parameters: [projectName],
    post: operation({
      ...form,
      operationId: 'checkProjectWorkPackage',
      summary: 'Check a new work package of a project',
      description:
        'Nothing is stored. The answer is 200 even if there are errors. Needs the permission ' +
        'add work packages there.',
      refusals: [
        'InvalidRequestBody',
        'MissingPermission',
        'NotAcceptable',
        'NotFound',
        'PropertyConstraintViolation',
        'TypeNotSupported',
      ],
    }),
  },
  '/projects': {
    get: operation({
      ...projectList,
      operationId: 'listProjects',
      tag: projects,
      summary: 'List and search projects',
      description: 'Public projects, and those of which the client is a member.',
      refusals: ['InvalidQuery'],
    }),
  },
  '/projects/{id}': {
    parameters: [projectName],
    get: operation({
      operationId: 'viewProject',
      tag: projects,
      summary: 'View a project',
      graphql: 'project',
      description:
        'The target of `project` links. Members see a project. Everybody sees a public project.',
      answers: hal(200, 'Project', 'The project.'),
      refusals: ['NotFound'],
    }),
  },
  '/projects/{id}/categories': {
    parameters: [projectName],
    get: operation({
      operationId: 'listProjectCategories',
      tag: projects,
      summary: 'List the categories of a project',
      graphql: 'project',
      description: 'This service has no categories, so the list is empty.',
      parameters: wholeListParameters,
      answers: hal(200, 'CategoryCollection', 'An empty list.'),
      refusals: ['NotFound'],
    }),
  },
  '/projects/{id}/types': {
    parameters: [projectName],
    get: operation({
      operationId: 'listProjectTypes',
      tag: projects,
      summary: 'List the types of a project',
      graphql: 'project',
      description: 'Needs the permission view work packages there.',
      parameters: wholeListParameters,
      answers: hal(200, 'TypeCollection', 'The types, in their order.'),
      refusals: ['MissingPermission', 'NotFound'],
    }),
  },
  '/projects/{id}/available_assignees': {
    parameters: [projectName],
    get: operation({
      operationId: 'listAvailableAssignees',
      tag: projects,
      summary: 'List the people to whom work packages can be assigned',
      graphql: 'project',
      description: 'The active members. Needs the permission add work packages there.',
      parameters: wholeListParameters,
      answers: hal(200, 'UserCollection', 'The people, by name.'),
      refusals: ['InvalidQuery', 'MissingPermission', 'NotFound'],
    }),
  },
  '/statuses': {
    get: operation({
      operationId: 'listStatuses',
      tag: workPackages,
      summary: 'List the statuses',
      graphql: 'statuses',
      description: SEEN,
      parameters: wholeListParameters,
      answers: hal(200, 'StatusCollection', 'All statuses, in their order.'),
      refusals: ['MissingPermission'],
    }),
  },
  '/statuses/{id}': {
    parameters: [idOf('status')],
    get: operation({
      operationId: 'viewStatus',
      tag: workPackages,
      summary: 'View a status',
      graphql: 'status',
      description: SEEN,
      answers: hal(200, 'Status', 'The status.'),
      refusals: ['MissingPermission', 'NotFound'],
    }),
  },
  '/types': {
    get: operation({
      operationId: 'listTypes',
      tag: workPackages,
      summary: 'List the types',
      graphql: 'types',
      description: SEEN,
      parameters: wholeListParameters,
      answers: hal(200, 'TypeCollection', 'All types, in their order.'),
      refusals: ['MissingPermission'],
    }),
  },
  '/types/{id}': {
    parameters: [idOf('type')],
    get: operation({
      operationId: 'viewType',
      tag: workPackages,
      summary: 'View a type',
      graphql: 'type',
      description: SEEN,
      answers: hal(200, 'Type', 'The type.'),
      refusals: ['MissingPermission', 'NotFound'],
    }),
  },
};
