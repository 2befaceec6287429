/** All operations with their weights in the draw. */
import type fc from 'fast-check';
import * as administration from './operations/administration.js';
import * as attachments from './operations/attachments.js';
import * as containers from './operations/containers.js';
import * as fileLinks from './operations/file-links.js';
import * as manyAttachments from './operations/many-attachments.js';
import * as notifications from './operations/notifications.js';
import * as people from './operations/people.js';
import * as resumableUploads from './operations/resumable-uploads.js';
import * as storages from './operations/storages.js';
import * as trash from './operations/trash.js';
import { steps, type Step } from './step.js';

export const operations: fc.Arbitrary<Step>[] = [
  ...steps('upload', attachments.upload, 5),
  ...steps('view attachment', attachments.view, 3),
  ...steps('download', attachments.download, 3),
  ...steps('delete attachment', attachments.remove, 3),
  ...steps('describe attachment', attachments.describe, 2),
  ...steps('rename attachment', attachments.rename, 2),
  ...steps('delete many', manyAttachments.remove, 2),
  ...steps('move', manyAttachments.move, 3),
  ...steps('copy', manyAttachments.copy, 3),
  ...steps('replace', trash.replace, 3),
  ...steps('restore', trash.restore, 3),
  ...steps('list trash', trash.list, 2),
  ...steps('empty trash', trash.empty),
  ...steps('begin resumable upload', resumableUploads.begin, 5),
  ...steps('send bytes', resumableUploads.send, 4),
  ...steps('ask for offset', resumableUploads.ask, 2),
  ...steps('give up upload', resumableUploads.end),
  ...steps('list attachments', attachments.list, 3),
  ...steps('archive', attachments.archive),
  ...steps('prepare', attachments.prepare),
  ...steps('prepared', attachments.prepared, 2),
  ...steps('complete', attachments.complete, 2),
  ...steps('finalise', attachments.finalise),
  ...steps('create container', containers.create, 3),
  ...steps('update container', containers.update, 5),
  ...steps('delete container', containers.remove),
  ...steps('view container', containers.view, 4),
  ...steps('comments', containers.history, 2),
  ...steps('create file links', fileLinks.create, 5),
  ...steps('view file link', fileLinks.view, 3),
  ...steps('list file links', fileLinks.list, 3),
  ...steps('remove file link', fileLinks.remove, 2),
  ...steps('create storage', storages.create, 2),
  ...steps('rename storage', storages.rename),
  ...steps('delete storage', storages.remove),
  ...steps('view storage', storages.view),
  ...steps('list storages', storages.list),
  ...steps('use storage', storages.use, 2),
  ...steps('end use', storages.dismiss),
  ...steps('view use', storages.viewUse),
  ...steps('list uses', storages.listUses),
  ...steps('list notifications', notifications.list, 2),
  ...steps('mark as read', notifications.markRead),
  ...steps('mark as unread', notifications.markUnread),
  ...steps('appoint', people.appoint, 2),
  ...steps('publish', people.publish),
  ...steps('leave', people.leave),
  ...steps('set member', administration.setMember, 2),
  ...steps('remove member', administration.removeMember),
  ...steps('open or close project', administration.openOrClose),
  ...steps('administer', administration.administer, 2),
  ...steps('end access', administration.end),
];
