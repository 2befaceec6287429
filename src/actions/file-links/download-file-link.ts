/** A fresh address for the content of the file of a link. */
import type { Context } from '../../context.js';
import type { FileLink } from '../../models/file-link.js';
import { askStorage } from '../storage-access/ask-storage.js';
import { storageOf } from './open-file-link.js';

/** @returns an absolute address without credentials that lives for a short while. @throws OutboundRequestFailed */
export async function downloadFileLink(context: Context, link: FileLink): Promise<string> {
  return askStorage(context, await storageOf(context, link), (adapter, access) =>
    adapter.downloadLink(access, link.originId),
  );
}
