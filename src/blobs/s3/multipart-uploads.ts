/** Lists the multipart uploads that are not finished, and their parts. */
import type { ListMultipartUploadsOutput, ListPartsOutput, Part, S3 } from '@aws-sdk/client-s3';
import { present, translated } from './errors.js';

/**
 * Lists all unfinished multipart uploads, page by page, because the SDK has no paginator for them.
 * @throws BlobsUnavailable
 */
export async function* multipartUploads(
  s3: S3,
  input: { Bucket: string; Prefix: string; MaxUploads: number },
): AsyncGenerator<{ Key: string; UploadId: string }> {
  let page: ListMultipartUploadsOutput | undefined;
  do {
    try {
      page = await s3.listMultipartUploads({
        ...input,
        KeyMarker: page?.NextKeyMarker,
        UploadIdMarker: page?.NextUploadIdMarker,
      });
    } catch (error) {
      throw translated(`list the unfinished uploads below ${input.Prefix}`, error);
    }
    yield* (page.Uploads ?? []).map(({ Key, UploadId }) => ({
      Key: present(Key),
      UploadId: present(UploadId),
    }));
  } while (page.IsTruncated);
}

/**
 * Lists the parts of an upload, in order. The paginator of the SDK reads the last page of some
 * stores again, because they always name a next one.
 */
export async function* partsOf(
  s3: S3,
  input: { Bucket: string; Key: string; UploadId: string },
): AsyncGenerator<Part> {
  let page: ListPartsOutput | undefined;
  do {
    page = await s3.listParts({ ...input, PartNumberMarker: page?.NextPartNumberMarker });
    yield* page.Parts ?? [];
  } while (page.IsTruncated);
}
