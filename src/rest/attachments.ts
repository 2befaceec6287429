/** Interface 4.1: attachments, alone and of each container. */
import { Router } from 'express';
import { globalId } from '../ids.js';
import { onlyMultipart } from './body.js';
import * as documents from './documents.js';
import { run } from './graphql.js';
import { idOf, locals } from './locals.js';
import { fileOf, uploadForm } from './multipart.js';
import { containerSegments, paths, type ContainerType } from './paths.js';
import { representAttachments, representAttachmentWithEmbeds } from './represent/attachment.js';
import { hal } from './respond.js';

export const attachments = Router()
  .get('/attachments/:id', async (req, res) => {
    const { attachment } = await run(locals(res).context, documents.ViewAttachmentDocument, { id: idOf(req) });
    hal(res, representAttachmentWithEmbeds(attachment));
  })
  .delete('/attachments/:id', async (req, res) => {
    await run(locals(res).context, documents.DeleteAttachmentDocument, { id: idOf(req) });
    res.status(204).end();
  })
  .post('/attachments', onlyMultipart, uploadForm, async (_req, res) => {
    const { context, profile } = locals(res);
    const { createAttachment } = await run(context, documents.AddAttachmentDocument, { file: fileOf(res) });
    hal(res, representAttachmentWithEmbeds(createAttachment.attachment), profile.createdStatus);
  });

const lists = {
  WorkPackage: documents.ListWorkPackageAttachmentsDocument,
  Activity: documents.ListActivityAttachmentsDocument,
  Meeting: documents.ListMeetingAttachmentsDocument,
  Post: documents.ListPostAttachmentsDocument,
  WikiPage: documents.ListWikiPageAttachmentsDocument,
};

for (const type of Object.keys(containerSegments) as ContainerType[]) {
  const path = `/${containerSegments[type]}/:id/attachments`;
  attachments
    .get(path, async (req, res) => {
      const id = idOf(req);
      const { container } = await run(locals(res).context, lists[type], { id });
      hal(res, representAttachments(paths.containerAttachments(type, Number(id)), container.attachments));
    })
    .post(path, onlyMultipart, uploadForm, async (req, res) => {
      const { context, profile } = locals(res);
      const { createAttachment } = await run(context, documents.AddAttachmentDocument, { containerId: globalId(type, idOf(req)), file: fileOf(res) });
      hal(res, representAttachmentWithEmbeds(createAttachment.attachment), profile.createdStatus);
    });
}
