/** Opens the content of the file of a link, as far as the caller may read it in the storage. */
import { Readable } from 'node:stream';
import { makeContext, type Context } from '../../../context.js';
import { ApiError } from '../../../contract/errors.js';
import { MAX_LINKED_FILE_BYTES } from '../../../contract/limits.js';
import type { FileLink } from '../../../models/file-link.js';
import { find } from '../../../policies/find.js';
import { failureOf, type StorageFailure } from '../../../storages/failure.js';
import { outboundError } from '../access/outbound-error.js';
import { targetName } from '../access/storage-target.js';
import { downloadFileLink } from './download-file-link.js';
import { storageOf } from './open-file-link.js';

/** What the storage says about the file, in a sentence for the person. */
class Unreadable extends Error {}

const sentences: { readonly [kind in StorageFailure['kind']]?: string } = {
  forbidden: 'The storage does not let you read it.',
  notFound: 'It is not in the storage any more, or you may not see it there.',
};

function unreadable({ kind, advice }: StorageFailure): Unreadable | undefined {
  const sentence = sentences[kind] ?? advice;
  return sentence === undefined ? undefined : new Unreadable(sentence);
}

interface LinkedFile {
  link: FileLink;
  /** The content, or the reason why the storage does not give it. */
  content: Readable | string;
}

/**
 * @returns undefined for a link that is missing or hidden
 * @throws an error of this service; those of the storage are a reason, or errors of the content
 */
export async function openLinkedFile(
  request: Context,
  id: number,
): Promise<LinkedFile | undefined> {
  // A context of its own: each file has the time of a request, and the rights are asked again.
  const { caller, log } = request;
  const context = makeContext(request, request.user, { caller, log });
  const link = await find.fileLink(context, id);
  if (!link) return undefined;
  try {
    return { link, content: await contentOf(context, link) };
  } catch (error) {
    const known = outboundError(error);
    if (known instanceof Unreadable || known instanceof ApiError)
      return { link, content: known.message };
    throw error;
  }
}

async function contentOf(context: Context, link: FileLink): Promise<Readable> {
  const { id } = await storageOf(context, link);
  const url = await downloadFileLink(context, link, unreadable);
  const { status, body } = await context.outbound.open(
    // Downloads can have a host of their own. Its failures must not count for the storage.
    `${targetName({ id })} downloads`,
    { method: 'GET', url, maxBytes: MAX_LINKED_FILE_BYTES },
  );
  if (status === 200) return withOwnErrors(body);
  body.destroy();
  throw failureOf(status);
}

function withOwnErrors(body: Readable): Readable {
  async function* pieces() {
    try {
      yield* body as AsyncIterable<Buffer>;
    } catch (error) {
      throw outboundError(error);
    }
  }
  const content = Readable.from(pieces(), { objectMode: false });
  // A generator that has not begun does not notice its end.
  content.once('close', () => body.destroy());
  return content;
}
