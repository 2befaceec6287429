/** Routes of file links, and of the files of storages. */
import { Router, type Request, type Response } from 'express';
import {
  InternalServerError,
  MissingPermission,
  NotFound,
  PropertyConstraintViolation,
} from '../../contract/errors.js';
import { bodyOf, onlyJson, singleObject } from '../request/body.js';
import type { Body } from '../request/body-members.js';
import { collection, page, whole } from '../represent/collection.js';
import * as documents from '../generated/documents.js';
import { uploadLinkMembers } from '../generated/members.js';
import { run } from '../documents/run.js';
import { words } from '../documents/words.js';
import { fileLinkInputs } from '../request/file-link-inputs.js';
import { idOf, locals } from '../request/locals.js';
import { paths } from '../represent/paths.js';
import { filtersOf, flagOf, pageOf } from '../request/page-and-filters.js';
import {
  noFileLink,
  representFile,
  representFileLink,
  representFileLinks,
} from '../represent/file-link.js';
import { hal, halWithList, seeOther } from '../represent/respond.js';
import { storageUrn, urn } from '../represent/urns.js';

/** Clients of some profiles read only the first page, so it is as large as possible. */
const WHOLE = -1;

async function listFileLinks(req: Request, res: Response): Promise<void> {
  const { context, profile } = locals(res);
  const id = idOf(req);
  const path = paths.workPackageFileLinks(Number(id));
  const { storageIds } = filtersOf(req, { storage: 'storageIds' });
  const asked = pageOf(req, profile.wholeFileLinks ? WHOLE : undefined);
  const filters = typeof req.query['filters'] === 'string' ? req.query['filters'] : undefined;
  try {
    const { workPackage } = await run(context, documents.ListFileLinksDocument, {
      id,
      first: asked.pageSize,
      page: asked.offset,
      storageIds,
      orderBy: profile.newestFileLinksFirst ? 'NEWEST_FIRST' : 'OLDEST_FIRST',
    });
    hal(
      res,
      page(
        path,
        workPackage.fileLinks.totalCount,
        representFileLinks(profile, workPackage),
        asked,
        filters,
      ),
    );
  } catch (error) {
    // Clients of this profile expect an empty list. The graph answers with an error.
    if (!(error instanceof MissingPermission) || !profile.hidesFileLinks) throw error;
    hal(res, page(path, 0, [], asked, filters));
  }
}

async function createFileLinks(
  req: Request,
  res: Response,
  workPackageId: string | undefined,
): Promise<void> {
  const { context, profile } = locals(res);
  const input = {
    ...(workPackageId !== undefined && { workPackageId }),
    fileLinks: fileLinkInputs(bodyOf(req, res)),
  };
  const {
    createFileLinks: { fileLinks },
  } = await run(context, documents.CreateFileLinksDocument, { input });
  const elements = fileLinks.map((link) => representFileLink(profile, link));
  if (workPackageId === undefined)
    hal(
      res,
      collection(urn(profile, 'file_links:no_link_provided'), elements.length, elements),
      201,
    );
  else hal(res, whole(paths.workPackageFileLinks(Number(workPackageId)), elements), 201);
}

/** @throws NotFound unless the file link belongs to the work package of the path */
async function demandOfWorkPackage(req: Request, res: Response): Promise<void> {
  const { fileLink } = await run(locals(res).context, documents.ViewFileLinkContainerDocument, {
    id: idOf(req),
  });
  if (String(fileLink.container?.id) !== idOf(req, 'workPackageId')) throw new NotFound();
}

async function viewFileLink(req: Request, res: Response): Promise<void> {
  const { context, profile } = locals(res);
  const { fileLink } = await run(context, documents.ViewFileLinkDocument, { id: idOf(req) });
  hal(res, representFileLink(profile, fileLink));
}

/** @param workPackageId the work package of the path; absent: that of the link does not matter */
async function deleteFileLink(req: Request, res: Response, workPackageId?: string): Promise<void> {
  const { context, profile } = locals(res);
  await run(context, documents.DeleteFileLinkDocument, { id: idOf(req), workPackageId });
  res.status(profile.deletedFileLinkStatus).end();
}

/** The project of an upload; null if the body does not have it. */
function projectIdOf(body: Body): string | null {
  const id = body.members['projectId'];
  // Too large for a row: answered like a project that does not exist.
  if (!Number.isInteger(id)) return body.integer('projectId')?.toString() ?? null;
  return (id as number) >= 1
    ? String(id)
    : (body.note(
        new PropertyConstraintViolation(
          'ProjectId must be a whole number of at least 1.',
          'projectId',
        ),
      ) ?? null);
}

const SCOPED = '/work_packages/:workPackageId/file_links/:id';

export const fileLinks = Router()
  .get('/work_packages/:id/file_links', listFileLinks)
  .post(
    '/work_packages/:id/file_links',
    onlyJson,
    singleObject,
    async (req: Request, res: Response) => createFileLinks(req, res, idOf(req)),
  )
  .post('/file_links', onlyJson, singleObject, async (req: Request, res: Response) =>
    createFileLinks(req, res, undefined),
  )
  .get('/file_links/:id', viewFileLink)
  .delete('/file_links/:id', async (req, res) => deleteFileLink(req, res))
  .get(SCOPED, async (req, res) => {
    await demandOfWorkPackage(req, res);
    await viewFileLink(req, res);
  })
  .delete(SCOPED, async (req, res) => {
    await deleteFileLink(req, res, idOf(req, 'workPackageId'));
  })
  .get('/file_links/:id/open', async (req, res) => {
    const {
      fileLink: { openUrl },
    } = await run(locals(res).context, documents.OpenFileLinkDocument, {
      id: idOf(req),
      location: flagOf(req, 'location') ?? false,
    });
    seeOther(res, openUrl);
  })
  .get('/file_links/:id/download', async (req, res) => {
    const {
      fileLink: { downloadUrl },
    } = await run(locals(res).context, documents.DownloadFileLinkDocument, { id: idOf(req) });
    seeOther(res, downloadUrl);
  })
  .get('/storages/:id/files', async (req, res) => {
    const { context, profile } = locals(res);
    // A parent without a text is an error, not the root.
    const parent = req.query['parent'] as string | undefined;
    const {
      storage: { files },
    } = await run(context, documents.ListStorageFilesDocument, { id: idOf(req), parent });
    // A bug: the graph answers null only together with an error, which `run` throws.
    if (!files) throw new InternalServerError();
    const { _type, ...found } = files;
    const represent = (file: (typeof found)['parent']) => representFile(profile, file);
    const body = {
      _type,
      files: [],
      parent: represent(found.parent),
      ancestors: found.ancestors.map(represent),
      _links: { self: { href: noFileLink(profile) } },
    };
    await halWithList(res, body, 'files', found.files, represent);
  })
  .get('/storages/:id/files/:fileId', async (req, res) => {
    const { context, profile } = locals(res);
    const {
      storage: { file },
    } = await run(context, documents.ViewStorageFileDocument, {
      id: idOf(req),
      fileId: String(req.params['fileId']),
    });
    if (!file) throw new InternalServerError();
    hal(res, representFile(profile, file));
  })
  .post(
    '/storages/:id/files/prepare_upload',
    onlyJson,
    singleObject,
    async (req: Request, res: Response) => {
      const { context, profile } = locals(res);
      const body = bodyOf(req, res);
      if (profile.refusesAbsentMembers) body.demand(['projectId'], ['fileName'], ['parent']);
      const input = {
        storageId: idOf(req),
        projectId: projectIdOf(body),
        fileName: body.text('fileName'),
        parent: body.idOrPath('parent'),
      };
      const {
        prepareStorageUpload: { uploadLink },
      } = await run(context, documents.PrepareStorageUploadDocument, { input });
      hal(
        res,
        {
          ...uploadLinkMembers(uploadLink),
          _links: {
            self: { href: storageUrn(profile, 'upload_link:no_link_provided') },
            destination: {
              href: uploadLink.href,
              method: words.uploadMethod[uploadLink.method],
              title: 'Upload File',
            },
          },
        },
        201,
        { 'Cache-Control': 'private, no-store' },
      );
    },
  )
  .post('/storages/:id/folders', onlyJson, singleObject, async (req: Request, res: Response) => {
    const { context, profile } = locals(res);
    const body = bodyOf(req, res);
    if (profile.refusesAbsentMembers) body.demand(['name'], ['parentId', 'parent_id', 'parent']);
    const parent =
      body.idOrPath('parentId') ?? body.idOrPath('parent_id') ?? body.idOrPath('parent');
    const {
      createStorageFolder: { folder },
    } = await run(context, documents.CreateStorageFolderDocument, {
      input: { storageId: idOf(req), name: body.text('name'), parent },
    });
    hal(res, representFile(profile, folder), 201);
  });
