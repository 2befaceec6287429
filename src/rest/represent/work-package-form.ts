/** The form for a new work package as a HAL document. */
import type { Profile } from '../../contract/profiles.js';
import { errorUrn } from '../../contract/error-answers.js';
import { PropertyConstraintViolation } from '../../contract/errors.js';
import type { ViewWorkPackageFormQuery } from '../generated/documents.js';
import { formattableMembers } from '../generated/members.js';
import { linkToPerson } from './container.js';
import { paths } from './paths.js';
import { attribute } from './attribute.js';
import { representStatus, representType } from './status-and-type.js';

type Form = ViewWorkPackageFormQuery['workPackageForm'];

/** @param self the address that the form was sent to */
export function representForm(profile: Profile, self: string, form: Form) {
  const { project, violations, viewerCanUpdate } = form;
  const isValid = violations.length === 0;
  return {
    _type: 'Form',
    _embedded: {
      payload: payloadOf(form),
      schema: schemaOf(form),
      validationErrors: errorsOf(profile, form),
    },
    _links: {
      self: { href: self, method: 'post' },
      validate: { href: self, method: 'post' },
      previewMarkup: { href: paths.previewMarkup, method: 'post' },
      ...(isValid &&
        project &&
        viewerCanUpdate && {
          commit: { href: paths.projectWorkPackages(project.id), method: 'post' },
        }),
    },
  };
}

const payloadOf = ({ subject, description, project, type, status, ...people }: Form) => ({
  lockVersion: 0,
  subject,
  description: formattableMembers(description),
  _links: {
    project: project ? { href: paths.project(project.id), title: project.name } : { href: null },
    type: type ? { href: paths.type(type.id), title: type.name } : { href: null },
    status: status ? { href: paths.status(status.id), title: status.name } : { href: null },
    assignee: linkToPerson(people.assignee),
    responsible: linkToPerson(people.responsible),
    attachments: [],
    fileLinks: [],
  },
});

/** One error for each attribute, by its name. */
function errorsOf(profile: Profile, { violations }: Form) {
  const errorIdentifier = errorUrn(profile, new PropertyConstraintViolation());
  return Object.fromEntries(
    // Of two errors of one attribute, the first one stays.
    violations
      .toReversed()
      .map(({ attribute, message }) => [
        attribute,
        { _type: 'Error', errorIdentifier, message, _embedded: { details: { attribute } } },
      ]),
  );
}

const readOnly = { writable: false };
const optional = { required: false };

const schemaOf = ({ project, allowedStatuses, allowedTypes }: Form) => ({
  _type: 'Schema',
  _dependencies: [],
  _attributeGroups: [],
  id: attribute('Integer', 'Id', readOnly),
  lockVersion: attribute('Integer', 'Lock version', readOnly),
  createdAt: attribute('DateTime', 'Created on', readOnly),
  updatedAt: attribute('DateTime', 'Updated on', readOnly),
  author: attribute('User', 'Author', { ...readOnly, location: '_links' }),
  subject: attribute('String', 'Subject', { minLength: 1, maxLength: 255 }),
  description: attribute('Formattable', 'Description', optional),
  project: attribute('Project', 'Project', {
    location: '_links',
    _links: { allowedValues: { href: paths.availableProjects } },
  }),
  type: attribute('Type', 'Type', {
    location: '_links',
    ...allowed(allowedTypes, representType),
  }),
  status: attribute('Status', 'Status', {
    location: '_links',
    hasDefault: true,
    ...allowed(allowedStatuses, representStatus),
  }),
  assignee: attribute('User', 'Assignee', people(project)),
  responsible: attribute('User', 'Responsible', people(project)),
  _links: {},
});

const people = (project: Form['project']) => ({
  ...optional,
  location: '_links',
  _links: { allowedValues: { href: project ? paths.availableAssignees(project.id) : null } },
});

function allowed<T>(
  rows: T[],
  represent: (row: T) => { _links: { self: { href: string; title: string } } },
) {
  const values = rows.map(represent);
  return {
    _embedded: { allowedValues: values },
    _links: { allowedValues: values.map(({ _links }) => _links.self) },
  };
}
