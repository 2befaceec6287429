/** Everything that attachments belong to as representations (interface 2.2). */
import { containerKinds, plainContainers } from '../../contract/container-kinds.js';
import { capitalised, one } from '../../contract/words.js';
import {
  action,
  array,
  constant,
  count,
  flag,
  id,
  link,
  object,
  oneOf,
  ref,
  text,
  time,
  titled,
  type Schema,
} from './shapes.js';

/** Links that every container has. */
const linksOf = (segment: string) => ({
  self: titled(`/${segment}/{id}`),
  attachments: link(`/${segment}/{id}/attachments`),
  'addAttachment?': action(`/${segment}/{id}/attachments`, 'post'),
  'prepareAttachment?': action(`/${segment}/{id}/attachments/prepare`, 'post'),
  project: titled('/projects/{id}'),
});

const withAttachments = { _embedded: object({ attachments: ref('AttachmentCollection') }) };

const workPackage = {
  _type: constant('WorkPackage'),
  id,
  subject: text,
  lockVersion: {
    ...count,
    description: "Counts the edits; send it with an update to refuse overwriting somebody else's.",
  },
  createdAt: time,
  updatedAt: time,
  _links: object({
    ...linksOf('work_packages'),
    author: titled('/users/{id}'),
    activities: link('/work_packages/{id}/activities'),
    'fileLinks?': link('/work_packages/{id}/file_links'),
    'addFileLink?': action('/work_packages/{id}/file_links', 'post'),
    'addComment?': action('/work_packages/{id}/activities', 'post'),
    'updateImmediately?': action('/work_packages/{id}', 'patch'),
  }),
};

export const containerSchemas: { [name: string]: Schema } = {
  WorkPackage: object(
    { ...workPackage, ...withAttachments },
    'A work package with its attachments embedded.',
  ),
  EmbeddedWorkPackage: object(workPackage, 'A work package as the container of an attachment.'),
  ...Object.fromEntries(
    plainContainers.map((type) => [
      type,
      object(
        {
          _type: constant(type),
          id,
          [containerKinds[type].nameColumn]: text,
          _links: object(linksOf(containerKinds[type].segment)),
        },
        `${capitalised(one(containerKinds[type].noun))} (interface 2.2).`,
      ),
    ]),
  ),
  EmbeddedContainer: {
    description: 'The container of an attachment (interface 2.2).',
    ...oneOf(...['EmbeddedWorkPackage', 'EmbeddedComment', ...plainContainers].map(ref)),
  },
};

const activity = {
  id,
  internal: { ...flag, description: 'Whether only people who may view internal comments see it.' },
  createdAt: time,
  updatedAt: time,
};
const { self: _titled, project, ...attachmentLinks } = linksOf('activities');
const activityLinks = {
  self: link('/activities/{id}'),
  ...attachmentLinks,
  workPackage: titled('/work_packages/{id}'),
  user: titled('/users/{id}'),
  project,
};

const comment = {
  _type: constant('Activity::Comment'),
  ...activity,
  comment: ref('MarkdownText'),
  details: array(ref('PlainText'), { maxItems: 0 }),
  _links: object({ ...activityLinks, 'update?': action('/activities/{id}', 'patch') }),
};
const { 'addAttachment?': _add, 'prepareAttachment?': _prepare, ...recordLinks } = activityLinks;

export const commentSchemas: { [name: string]: Schema } = {
  Activity: {
    description: 'An entry in the history of a work package with its attachments embedded.',
    ...oneOf(ref('Comment'), ref('ChangeRecord')),
  },
  Comment: object({ ...comment, ...withAttachments }, 'A comment that a person wrote.'),
  EmbeddedComment: object(comment, 'A comment as the container of an attachment.'),
  ChangeRecord: object(
    {
      _type: constant('Activity'),
      ...activity,
      comment: ref('MarkdownText'),
      details: array(ref('PlainText'), {
        description:
          'The recorded changes, a sentence each; those of file links are told to people who may see them.',
      }),
      ...withAttachments,
      _links: object(recordLinks),
    },
    'A record of changes that the service wrote; nothing is attached to it.',
  ),
  ActivityCollection: object(
    {
      _type: constant('Collection'),
      total: count,
      count,
      _embedded: object({ elements: array(ref('Activity')) }),
      _links: object({ self: link('/work_packages/{id}/activities') }),
    },
    'The history of a work package, oldest first, unpaginated (interface 2.1).',
  ),
};
