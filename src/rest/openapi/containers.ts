/** The operations on what attachments belong to, and on the targets of links. */
import { containerKinds, plainContainers } from '../../contract/container-kinds.js';
import { one } from '../../contract/words.js';
import { bodyFaults, hal, idOf, operation } from './operations.js';
import {
  commentChanges,
  newComment,
  newProjectWorkPackage,
  newWorkPackage,
  workPackageChanges,
} from './requests.js';
import type { RefusalName } from './errors.js';

const workPackages = 'Work packages';
const writing: RefusalName[] = [
  ...bodyFaults,
  'MissingPermission',
  'NotFound',
  'PropertyConstraintViolation',
];

const view = (tag: string, type: string, field: string, noun: string, description: string) => ({
  parameters: [idOf(noun)],
  get: operation({
    operationId: `view${type}`,
    tag,
    summary: `View ${one(noun)}`,
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
      description:
        'Claims attachments that exist without a container (interface section 1). It asks for add work packages.',
      body: newWorkPackage,
      answers: hal(201, 'WorkPackage', 'The new work package.'),
      refusals: writing,
    }),
  },
  '/projects/{id}/work_packages': {
    parameters: [idOf('project')],
    post: operation({
      operationId: 'createProjectWorkPackage',
      tag: workPackages,
      summary: 'Create a work package in a project',
      graphql: 'createWorkPackage',
      description:
        'Claims attachments that exist without a container (interface section 1). It asks for add work packages.',
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
      'For those who may view work packages (interface section 5).',
    ),
    patch: operation({
      operationId: 'updateWorkPackage',
      tag: workPackages,
      summary: 'Change a work package',
      graphql: 'updateWorkPackage',
      description:
        'Absent members stay as they are. Claims attachments and removes those that are left out (interface section 1). It asks for edit work packages.',
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
      description:
        'Oldest first; internal comments for those who may view them (interface section 5).',
      answers: hal(200, 'ActivityCollection', 'The history.'),
      refusals: ['NotFound'],
    }),
    post: operation({
      operationId: 'createComment',
      tag: 'Activities',
      summary: 'Comment on a work package',
      graphql: 'createComment',
      description:
        'Claims attachments that the text or the links name (interface section 1). It asks for add work package comments; for internal comments view internal comments as well.',
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
      'For those who may view work packages; internal comments for those who may view them (interface section 5).',
    ),
    patch: operation({
      operationId: 'updateComment',
      tag: 'Activities',
      summary: 'Change a comment',
      graphql: 'updateComment',
      description:
        'Absent members stay as they are. Own comments ask for add work package comments, those of others for edit work packages.',
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
        view(
          tag,
          type,
          field,
          noun,
          `For those who may ${needed[0].replaceAll('_', ' ')} (interface section 5).`,
        ),
      ];
    }),
  ),
  '/projects/{id}': view(
    'Projects',
    'Project',
    'project',
    'project',
    'The target of `project` links (interface 2.2).',
  ),
  '/users/{id}': view(
    'Users',
    'User',
    'user',
    'user',
    'The target of `author` links (interface 2.2).',
  ),
};
