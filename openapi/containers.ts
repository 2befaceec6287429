/** The operations on containers, projects and users. */
import { containerKinds, plainContainers } from '../src/contract/container-kinds.js';
import { withArticle } from '../src/contract/words.js';
import { avatar } from './avatar.js';
import {
  bodyFaults,
  hal,
  idOf,
  operation,
  projectName,
  queryParameter,
  wholeListParameters,
} from './operation-parts.js';
import {
  commentChanges,
  newComment,
  newProjectWorkPackage,
  newWorkPackage,
  workPackageChanges,
} from './requests.js';
import type { RefusalName } from './errors.js';

const workPackages = 'Work packages';
const NEW_WORK_PACKAGE =
  'Can add attachments and file links that were created before. Needs the ' +
  'permission add work packages.';
const writing: RefusalName[] = [
  ...bodyFaults,
  'MissingPermission',
  'NotFound',
  'PropertyConstraintViolation',
];

const notify = queryParameter(
  'notify',
  'Whether people are notified of files that are added. Only `false` turns this off.',
  { type: 'boolean', default: true },
);

const view = (tag: string, type: string, field: string, noun: string, description: string) => ({
  parameters: [idOf(noun)],
  get: operation({
    operationId: `view${type}`,
    tag,
    summary: `View ${withArticle(noun)}`,
    description,
    graphql: field,
    answers: hal(200, type, `The ${noun}.`),
    refusals: ['NotFound'],
  }),
});

export const containerPaths = {
  '/work_packages': {
    post: operation({
      operationId: 'createWorkPackage',
      tag: workPackages,
      summary: 'Create a work package',
      graphql: 'createWorkPackage',
      description: NEW_WORK_PACKAGE,
      parameters: [notify],
      body: newWorkPackage,
      answers: hal(201, 'WorkPackage', 'The new work package.'),
      refusals: writing,
    }),
  },
  '/projects/{id}/work_packages': {
    parameters: [projectName],
    post: operation({
      operationId: 'createProjectWorkPackage',
      tag: workPackages,
      summary: 'Create a work package in a project',
      graphql: 'createWorkPackage',
      description: NEW_WORK_PACKAGE,
      parameters: [notify],
      body: newProjectWorkPackage,
      answers: hal(201, 'WorkPackage', 'The new work package.'),
      refusals: writing,
    }),
  },
  '/work_packages/{id}': {
    ...view(
      workPackages,
      'WorkPackage',
      'workPackage',
      'work package',
      'Needs the permission view work packages.',
    ),
    patch: operation({
      operationId: 'updateWorkPackage',
      tag: workPackages,
      summary: 'Change a work package',
      graphql: 'updateWorkPackage',
      description:
        'Absent members stay as they are. A set of attachments or file links replaces ' +
        'the old one. Needs the permission edit work packages.',
      parameters: [notify],
      body: workPackageChanges,
      answers: hal(200, 'WorkPackage', 'The changed work package.'),
      refusals: [...writing, 'UpdateConflict'],
    }),
  },
  '/work_packages/{id}/activities': {
    parameters: [idOf('work package')],
    get: operation({
      operationId: 'listActivities',
      tag: 'Activities',
      summary: 'List the activities of a work package',
      graphql: 'workPackage',
      description: 'Oldest first. Internal comments need the permission view internal comments.',
      parameters: wholeListParameters,
      answers: hal(200, 'ActivityCollection', 'The history.'),
      refusals: ['NotFound'],
    }),
    post: operation({
      operationId: 'createComment',
      tag: 'Activities',
      summary: 'Comment on a work package',
      graphql: 'createComment',
      description:
        'Adds attachments that the text or the links name. Needs the permission add ' +
        'work package comments; for internal comments also view internal comments.',
      parameters: [notify],
      body: newComment,
      answers: hal(201, 'Comment', 'The new comment.'),
      refusals: writing,
    }),
  },
  '/activities/{id}': {
    ...view(
      'Activities',
      'Activity',
      'activity',
      'activity',
      'Needs the permission view work packages; for internal comments also view internal comments.',
    ),
    patch: operation({
      operationId: 'updateComment',
      tag: 'Activities',
      summary: 'Change a comment',
      graphql: 'updateComment',
      description:
        'Absent members stay as they are. Needs the permission add work package ' +
        'comments for own comments, edit work packages for those of others.',
      parameters: [notify],
      body: commentChanges,
      answers: hal(200, 'Comment', 'The changed comment.'),
      refusals: writing,
    }),
  },
  ...Object.fromEntries(
    plainContainers.map((type) => {
      const { segment, tag, field, noun, view: needed } = containerKinds[type];
      return [
        `/${segment}/{id}`,
        view(tag, type, field, noun, `Needs the permission ${needed[0].replaceAll('_', ' ')}.`),
      ];
    }),
  ),
  '/users/{id}': view('Users', 'User', 'user', 'user', 'The target of `author` links.'),
  '/users/{id}/avatar': { parameters: [idOf('user')], get: avatar },
};
