/** Routes of attachments, with and without a container. */
import { Router, type NextFunction, type Request, type Response } from 'express';
import { MethodNotAllowed } from '../../contract/errors.js';
import { containerKinds, containerTypes } from '../../contract/container-kinds.js';
import { globalId } from '../../contract/ids.js';
import { onlyMultipart } from '../request/body.js';
import * as documents from '../generated/documents.js';
import { run } from '../documents/run.js';
import { idOf, locals } from '../request/locals.js';
import { fileOf, metadataForm, metadataOf, uploadForm } from '../request/upload-form.js';
import { paths } from '../represent/paths.js';
import { representAttachment } from '../represent/attachment.js';
import { representAttachmentWithEmbeds } from '../represent/embedded.js';
import { collection } from '../represent/collection.js';
import { representUpload } from '../represent/attachment-upload.js';
import { hal, halList } from '../represent/respond.js';

export const attachments = Router()
  .get('/attachments/:id', async (req, res) => {
    const { attachment } = await run(locals(res).context, documents.ViewAttachmentDocument, {
      id: idOf(req),
    });
    hal(res, representAttachmentWithEmbeds(locals(res), attachment));
  })
  .delete('/attachments/:id', async (req, res) => {
    await run(locals(res).context, documents.DeleteAttachmentDocument, { id: idOf(req) });
    res.status(204).end();
  })
  .get('/attachments/:id/uploaded', refuseHead, async (req, res) => {
    const { completeAttachmentUpload } = await run(
      locals(res).context,
      documents.CompleteAttachmentUploadDocument,
      { id: idOf(req) },
    );
    hal(res, representAttachment(completeAttachmentUpload.attachment), 200, {
      'Cache-Control': 'private, no-store',
    });
  })
  .post('/attachments/prepare', onlyMultipart, metadataForm, async (_req, res) => {
    await prepare(res, undefined);
  })
  .post('/attachments', onlyMultipart, uploadForm, async (_req, res) => {
    const { context, profile } = locals(res);
    const { createAttachment } = await run(context, documents.AddAttachmentDocument, {
      file: fileOf(res),
    });
    hal(
      res,
      representAttachmentWithEmbeds(locals(res), createAttachment.attachment),
      profile.createdStatus,
    );
  });

/** Refuses HEAD: completing an upload changes data, so a look at the headers must not do it. */
export function refuseHead(req: Request, res: Response, next: NextFunction) {
  if (req.method !== 'HEAD') return next();
  res.setHeader('Allow', 'GET');
  throw new MethodNotAllowed();
}

async function prepare(res: Response, containerId: string | undefined) {
  const metadata = metadataOf(res);
  const input = {
    containerId,
    fileName: metadata.text('fileName'),
    fileSize: metadata.number('fileSize'),
    contentType: metadata.text('contentType'),
    description: metadata.formattable('description'),
    digest: metadata.digest(),
  };
  const { prepareAttachmentUpload } = await run(
    locals(res).context,
    documents.PrepareAttachmentUploadDocument,
    { input },
  );
  hal(res, representUpload(prepareAttachmentUpload.upload), 201, {
    'Cache-Control': 'private, no-store',
  });
}

for (const type of containerTypes) {
  const path = `/${containerKinds[type].segment}/:id/attachments`;
  attachments
    .get(path, async (req, res) => {
      const id = idOf(req);
      const { container } = await run(
        locals(res).context,
        documents.ListContainerAttachmentsDocument,
        { id: globalId(type, id) },
      );
      const self = paths.containerAttachments(type, Number(id));
      const { totalCount, nodes } = container.attachments;
      await halList(res, collection(self, totalCount, nodes), representAttachment);
    })
    .post(path, onlyMultipart, uploadForm, async (req, res) => {
      const { context, profile } = locals(res);
      const { createAttachment } = await run(context, documents.AddAttachmentDocument, {
        containerId: globalId(type, idOf(req)),
        file: fileOf(res),
      });
      hal(
        res,
        representAttachmentWithEmbeds(locals(res), createAttachment.attachment),
        profile.createdStatus,
      );
    })
    .post(`${path}/prepare`, onlyMultipart, metadataForm, async (req, res) => {
      await prepare(res, globalId(type, idOf(req)));
    });
}
