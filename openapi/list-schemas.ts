/** Schemas of lists of work packages and projects, of statuses and types, and of forms. */
import type { Profile } from '../src/contract/profiles.js';
import * as documents from '../src/rest/generated/documents.js';
import { urn } from '../src/rest/represent/urns.js';
import { collectionMembers, pageMembers } from './collections.js';
import { membersOf } from './derive.js';
import { attribute, inLinks } from './attribute-schemas.js';
import { links } from './links.js';
import {
  action,
  array,
  constant,
  count,
  described,
  embedded,
  link,
  linkTo,
  nullLink,
  object,
  oneOf,
  ref,
  text,
  titled,
  titleOf,
  typeMember,
  type Members,
  type Schema,
} from './shapes.js';

const never = (value: Schema, description: string) => described(description, value);

const Status = object(
  {
    ...membersOf(documents.StatusMembersFragmentDoc),
    isReadonly: never({ type: 'boolean', const: false }, 'Always false.'),
    excludedFromTotals: never({ type: 'boolean', const: false }, 'Always false.'),
    defaultDoneRatio: never({ type: 'null' }, 'Always null.'),
    _links: links({ self: titled('/statuses/{id}') }),
  },
  'A status of work packages.',
);

const Type = object(
  {
    ...membersOf(documents.TypeMembersFragmentDoc),
    isMilestone: never({ type: 'boolean', const: false }, 'Always false.'),
    _links: links({ self: titled('/types/{id}') }),
  },
  'A type of work packages.',
);

const whole = (element: string, path: string, description: string) =>
  object({ ...collectionMembers(element), _links: links({ self: link(path) }) }, description);

/** A list that is always empty. */
const collectionOfNothing = {
  ...collectionMembers('Category'),
  _embedded: embedded({
    elements: described(
      'Always empty.',
      array({ type: 'object', maxProperties: 0, unevaluatedProperties: false }),
    ),
  }),
};

const parent = (profile: Profile): Schema =>
  oneOf(
    titled('/projects/{id}'),
    nullLink,
    linkTo(constant(urn(profile, 'undisclosed'), 'The client does not see the parent.'), {
      title: titleOf('Undisclosed - The parent is invisible because of lacking permissions.'),
    }),
  );

const PROJECT_LIST = '/(projects|work_packages/available_projects)';
const WORK_PACKAGE_LIST = '(/projects/[1-9]\\d*)?/work_packages';

const workPackageCollection = ({ workPackageCollection: type }: Profile): Schema =>
  object(
    {
      ...pageMembers('EmbeddedWorkPackage', WORK_PACKAGE_LIST, undefined, {
        'createWorkPackage?': described(
          'The form for a new work package. Only if the client may do that.',
          action(`${WORK_PACKAGE_LIST}/form`, 'post'),
        ),
        'createWorkPackageImmediate?': action(WORK_PACKAGE_LIST, 'post'),
      }),
      _type: typeMember(type),
    },
    'A page of work packages. `total` is at most 10,000.',
  );

const allowedHref = (target: Schema) => ({
  _links: object(
    {
      allowedValues: described(
        'The list of allowed values. Without a target while no project is chosen.',
        oneOf(target, nullLink),
      ),
    },
    'Where the allowed values are.',
  ),
});
const allowedRows = (name: string, path: string) => ({
  ...inLinks,
  _embedded: embedded({ allowedValues: described('The allowed values.', array(ref(name))) }),
  _links: object(
    { allowedValues: described('Links to the allowed values.', array(titled(path))) },
    'Links to the allowed values.',
  ),
});
const people = { ...inLinks, ...allowedHref(link('/projects/{id}/available_assignees')) };

const formSchema = object(
  {
    _type: typeMember('Schema'),
    _dependencies: described('Always empty.', array(text)),
    _attributeGroups: described('Always empty.', array(text)),
    id: attribute('Integer'),
    lockVersion: attribute('Integer'),
    createdAt: attribute('DateTime'),
    updatedAt: attribute('DateTime'),
    author: attribute('User', inLinks),
    subject: attribute('String', {
      minLength: described('The smallest number of characters.', count),
      maxLength: described('The largest number of characters.', count),
    }),
    description: attribute('Formattable'),
    project: attribute('Project', {
      ...inLinks,
      ...allowedHref(link('/work_packages/available_projects')),
    }),
    type: attribute('Type', allowedRows('Type', '/types/{id}')),
    status: attribute('Status', allowedRows('Status', '/statuses/{id}')),
    assignee: attribute('User', people),
    responsible: attribute('User', people),
    _links: object({}, 'Always empty.'),
  },
  'What clients can set, and the allowed values.',
);

const orNothing = (path: string) => oneOf(titled(path), nullLink);

const payload = object(
  {
    lockVersion: described('Always 0.', count),
    subject: described('The subject; empty if none was sent.', text),
    description: ref('MarkdownText'),
    _links: links({
      project: orNothing('/projects/{id}'),
      type: described(
        'The type. Without a target while no project is chosen.',
        orNothing('/types/{id}'),
      ),
      status: described('The status.', orNothing('/statuses/{id}')),
      assignee: orNothing('/users/{id}'),
      responsible: orNothing('/users/{id}'),
      attachments: described('Always empty.', array(text)),
      'fileLinks?': described('Always empty.', array(text)),
    }),
  },
  'The work package as it would be created.',
);

const formAddress = '(/projects/{id})?/work_packages/form';

const WorkPackageForm = object(
  {
    _type: typeMember('Form'),
    _embedded: embedded({
      payload,
      schema: formSchema,
      validationErrors: {
        type: 'object',
        additionalProperties: ref('SingleViolation'),
        unevaluatedProperties: false,
        description: 'An error for each attribute that is wrong, by its name.',
      },
    }),
    _links: links({
      self: action(formAddress, 'post'),
      validate: action(formAddress, 'post'),
      previewMarkup: action('/render/markdown', 'post'),
      'commit?': action('/projects/{id}/work_packages', 'post'),
    }),
  },
  'A new work package as it would be created, and what is wrong with it.',
);

export const listSchemas = (profile: Profile): Members => ({
  Status,
  Type,
  StatusCollection: whole('Status', '/statuses', 'All statuses, on one page.'),
  TypeCollection: whole('Type', '(/projects/{id})?/types', 'Types, on one page.'),
  UserCollection: whole('User', '/projects/{id}/available_assignees', 'People, on one page.'),
  CategoryCollection: object(
    {
      ...collectionOfNothing,
      _links: links({ self: link('/projects/{id}/categories') }),
    },
    'No categories.',
  ),
  Project: object(
    {
      ...membersOf(documents.ProjectMembersFragmentDoc),
      _links: links({
        self: titled('/projects/{id}'),
        categories: link('/projects/{id}/categories'),
        'createWorkPackage?': action('/projects/{id}/work_packages/form', 'post'),
        'createWorkPackageImmediately?': action('/projects/{id}/work_packages', 'post'),
        'workPackages?': link('/projects/{id}/work_packages'),
        'types?': link('/projects/{id}/types'),
        parent: parent(profile),
        'memberships?': linkTo({
          type: 'string',
          pattern: '^/api/v3/memberships\\?filters=',
        }),
        'storages?': described(
          'The storages that it uses. Only for one project, if the client may see them.',
          array(titled('/storages/{id}')),
        ),
        'projectStorages?': linkTo({
          type: 'string',
          pattern: '^/api/v3/project_storages\\?filters=',
        }),
      }),
    },
    'A project: the scope of memberships and permissions.',
  ),
  ProjectCollection: object(
    pageMembers('Project', PROJECT_LIST),
    'A page of projects. `total` is at most 10,000.',
  ),
  WorkPackageCollection: workPackageCollection(profile),
  WorkPackageForm,
});
