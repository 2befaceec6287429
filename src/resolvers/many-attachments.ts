/** Changes of many attachments in the graph: deleting, moving, copying. All of them or none. */
import { ID } from 'type-graphql';
import { demandFew } from '../actions/files/attachments/chosen-attachments.js';
import { copyAttachments } from '../actions/files/attachments/copy-attachments.js';
import { deleteAttachments } from '../actions/files/attachments/delete-attachments.js';
import { moveAttachments } from '../actions/files/attachments/move-attachments.js';
import { globalId } from '../contract/ids.js';
import { MAX_CHANGED_ATTACHMENTS } from '../contract/limits.js';
import { Attachment } from '../models/attachment.js';
import { containerNamed } from '../contract/container-argument.js';
import { idsOf } from './id-lists.js';
import { mutation } from './mutation.js';
import { CONTAINER_ID } from './schema-phrases.js';

const IDS = [
  [ID],
  `Global ids or integer ids of attachments, 1 to ${MAX_CHANGED_ATTACHMENTS}.`,
] as const;

const few = (ids: readonly string[]) => demandFew(idsOf('Attachment', ids) ?? []);

const ERRORS =
  'Errors: INVALID_QUERY for too many ids; ' +
  'NOT_FOUND if an attachment is missing or not visible; MISSING_PERMISSION';

export const manyAttachmentMutations = [
  mutation('deleteAttachments', {
    forApplications: true,
    description:
      'Deletes attachments, all or none, with the same rules as `deleteAttachment`. ' +
      `${ERRORS}.`,
    argument: 'The attachments.',
    about: 'Attachments to delete.',
    input: { ids: IDS },
    payload: { deletedAttachmentIds: [[ID], 'Global ids of the deleted attachments.'] },
    run: async ({ ids }, context) => ({
      deletedAttachmentIds: (await deleteAttachments(context, few(ids))).map(({ id }) =>
        globalId('Attachment', id),
      ),
    }),
  }),

  mutation('moveAttachments', {
    forApplications: true,
    description:
      'Moves attachments to another container, all or none. They keep their ids. ' +
      'It needs the permission to delete them, and to attach files to the container. ' +
      'Texts of comments that link to them stay as they are. ' +
      `${ERRORS}, also for a file in quarantine; ` +
      'PROPERTY_CONSTRAINT_VIOLATION if the container would have too many files.',
    argument: 'The attachments, and where they go.',
    about: 'Attachments to move.',
    input: { ids: IDS, to: [ID, CONTAINER_ID] },
    payload: { attachments: [[Attachment], 'The attachments, in the order of the ids.'] },
    run: async ({ ids, to }, context) => ({
      attachments: await moveAttachments(context, few(ids), containerNamed(to)),
    }),
  }),

  mutation('copyAttachments', {
    forApplications: true,
    description:
      'Copies attachments to a container, all or none. The caller is the author of the copies. ' +
      'The bytes are stored once: they are removed with the last file that has them. ' +
      'It needs the permission to download them, and to attach files to the container. ' +
      `${ERRORS}, also for a file in quarantine; ` +
      'PROPERTY_CONSTRAINT_VIOLATION if the container would have too many files.',
    argument: 'The attachments, and where their copies go.',
    about: 'Attachments to copy.',
    input: { ids: IDS, to: [ID, CONTAINER_ID] },
    payload: { attachments: [[Attachment], 'The copies, in the order of the ids.'] },
    run: async ({ ids, to }, context) => ({
      attachments: await copyAttachments(context, few(ids), containerNamed(to)),
    }),
  }),
];
