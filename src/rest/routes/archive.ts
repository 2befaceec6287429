/** Serves the attachments of a container as one ZIP archive. */
import { Router, type Request, type Response } from 'express';
import {
  archiveOf,
  demandArchivedIds,
  type ArchiveOf,
} from '../../actions/files/attachments/archive-address.js';
import { openArchive, type OpenArchive } from '../../actions/files/attachments/open-archive.js';
import {
  containerKinds,
  containerTypes,
  type ContainerType,
} from '../../contract/container-kinds.js';
import type { Context } from '../../context.js';
import { dispositionOf } from '../../contract/content-disposition.js';
import { parseDatabaseId } from '../../contract/ids.js';
import { ClientGone, written } from '../../http/slow-clients.js';
import { zipped } from '../../http/zip.js';
import { idOf } from '../request/locals.js';
import { contextFor } from '../request/temporary-access.js';

export const archive = Router();

for (const type of containerTypes)
  archive.get(`/${containerKinds[type].segment}/:id/attachments/archive`, async (req, res) => {
    const wanted = wantedOf(req, type);
    const context = await contextFor(req, res, archiveOf(wanted));
    const opened = await openArchive(context, wanted);
    res.set({
      'Content-Type': 'application/zip',
      'Content-Disposition': dispositionOf(`${opened.name}.zip`, 'attachment'),
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    if (req.method === 'HEAD') res.end();
    else await send(res, context, opened);
  });

function wantedOf(req: Request, type: ContainerType): ArchiveOf {
  const { ids } = req.query;
  return {
    type,
    id: Number(idOf(req)),
    ids:
      ids === undefined
        ? undefined
        : demandArchivedIds(String(ids).split(',').map(parseDatabaseId)),
  };
}

/** @throws Overloaded */
async function send(res: Response, context: Context, { files }: OpenArchive): Promise<void> {
  const { caller, downloads, settings } = context;
  const release = downloads.acquire(caller);
  const bytes = zipped(files);
  try {
    for await (const piece of bytes as AsyncIterable<Buffer>)
      await written(res, piece, { stallMs: settings.downloadStallSeconds * 1000 });
    res.end();
  } catch (error) {
    // A client must see that the archive is not complete.
    res.destroy();
    // After a disconnect there is no client to answer.
    if (!(error instanceof ClientGone)) throw error;
    if (error.tooSlow) context.log.info('a download was ended because its client takes too little');
  } finally {
    bytes.destroy();
    release();
  }
}
