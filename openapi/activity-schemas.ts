/** Schemas of comments and of records of changes. */
import * as documents from '../src/rest/generated/documents.js';
import { collectionMembers } from './collections.js';
import { containerLinks, withAttachments } from './container-schemas.js';
import { membersOf } from './derive.js';
import { links } from './links.js';
import { action, link, object, oneOf, ref, titled, typeMember, type Members } from './shapes.js';

/** @param type distinguishes comments and records; in GraphQL, the field `kind` does */
const activity = (type: string, more: Members = {}) =>
  membersOf(documents.ActivityMembersFragmentDoc, {
    _type: typeMember(type),
    comment: ref('MarkdownText'),
    ...more,
  });
/** A comment has no details. */
const commentMembers = activity('Activity::Comment', {
  details: { items: ref('PlainText'), maxItems: 0 },
});

const { self: _titled, project, ...attachmentLinks } = containerLinks('activities');
const activityLinks = {
  self: link('/activities/{id}'),
  ...attachmentLinks,
  workPackage: titled('/work_packages/{id}'),
  user: titled('/users/{id}'),
  project,
};
const comment = {
  ...commentMembers,
  _links: links({ ...activityLinks, 'update?': action('/activities/{id}', 'patch') }),
};
const { 'addAttachment?': _add, 'prepareAttachment?': _prepare, ...recordLinks } = activityLinks;

const record = {
  ...activity('Activity', { details: { items: ref('PlainText') } }),
  _links: links(recordLinks),
};

export const activitySchemas: Members = {
  Activity: {
    description: 'An entry in the history of a work package, with its attachments embedded.',
    ...oneOf(ref('Comment'), ref('ChangeRecord')),
  },
  Comment: object({ ...comment, ...withAttachments }, 'A comment that a user wrote.'),
  EmbeddedComment: object(comment, 'A comment that another document embeds.'),
  ChangeRecord: object(
    { ...record, ...withAttachments },
    'A record of changes, written by the service. Nothing can be attached to it.',
  ),
  EmbeddedChangeRecord: object(record, 'A record of changes that another document embeds.'),
  ActivityCollection: object(
    {
      ...collectionMembers('Activity'),
      _links: links({ self: link('/work_packages/{id}/activities') }),
    },
    'The history of a work package on one page, oldest entry first.',
  ),
};
