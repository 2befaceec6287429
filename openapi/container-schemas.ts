/** Schemas of the containers of attachments. */
import { containerKinds, plainContainers } from '../src/contract/container-kinds.js';
import { capitalised, withArticle } from '../src/contract/words.js';
import * as documents from '../src/rest/generated/documents.js';
import { fieldOf, membersOf } from './derive.js';
import { links, type Links } from './links.js';
import {
  action,
  array,
  described,
  embedded,
  link,
  nullLink,
  object,
  oneOf,
  ref,
  titled,
  typeMember,
  type Members,
  type Schema,
} from './shapes.js';

/** Links that every container has. */
export const containerLinks = (segment: string) =>
  ({
    self: titled(`/${segment}/{id}`),
    attachments: link(`/${segment}/{id}/attachments`),
    'addAttachment?': action(`/${segment}/{id}/attachments`, 'post'),
    'prepareAttachment?': action(`/${segment}/{id}/attachments/prepare`, 'post'),
    project: titled('/projects/{id}'),
  }) satisfies Links;

/** The member of documents that embed their attachments. */
export const withAttachments = {
  _embedded: embedded({ attachments: ref('AttachmentCollection') }),
};

const workPackage = {
  ...membersOf(documents.WorkPackageMembersFragmentDoc, { description: ref('MarkdownText') }),
  _links: links({
    ...containerLinks('work_packages'),
    type: described('Its type.', titled('/types/{id}')),
    status: described('Its status.', titled('/statuses/{id}')),
    author: titled('/users/{id}'),
    assignee: oneOf(titled('/users/{id}'), nullLink),
    responsible: oneOf(titled('/users/{id}'), nullLink),
    ancestors: described('Always empty: work packages have no parents.', array(nullLink)),
    activities: link('/work_packages/{id}/activities'),
    'fileLinks?': link('/work_packages/{id}/file_links'),
    'addFileLink?': action('/work_packages/{id}/file_links', 'post'),
    'addComment?': action('/work_packages/{id}/activities', 'post'),
    'updateImmediately?': action('/work_packages/{id}', 'patch'),
  }),
};

/** The member for the name has the name of the column. It is never null. */
function plainContainer(type: (typeof plainContainers)[number]): Schema {
  const { nameColumn, noun, segment } = containerKinds[type];
  return object(
    {
      _type: typeMember(type),
      id: fieldOf(type, 'databaseId'),
      [nameColumn]: { ...fieldOf(type, nameColumn), type: 'string' },
      _links: links(containerLinks(segment)),
    },
    `${capitalised(withArticle(noun))}.`,
  );
}

export const containerSchemas: Members = {
  WorkPackage: object(
    { ...workPackage, ...withAttachments },
    'A work package with its attachments embedded.',
  ),
  EmbeddedWorkPackage: object(workPackage, 'A work package that another document embeds.'),
  ...Object.fromEntries(plainContainers.map((type) => [type, plainContainer(type)])),
  EmbeddedContainer: {
    description: 'The container of an attachment.',
    ...oneOf(
      ...['EmbeddedWorkPackage', 'EmbeddedComment', ...plainContainers].map((name) => ref(name)),
    ),
  },
};
