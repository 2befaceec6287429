/** Copies large objects. */
import type { CompletedPart } from '@aws-sdk/client-s3';
import type { Connection } from './connection.js';

/** The store may copy five gigabytes before it answers. */
export const COPY_MS = 15 * 60_000;

interface CopyRequest {
  Bucket: string;
  Key: string;
  CopySource: string;
  CopySourceIfMatch: string | undefined;
}

/** Copies an object part by part. When a part fails, nothing is stored. */
export async function copyParts(
  { s3, slowS3 }: Pick<Connection, 's3' | 'slowS3'>,
  request: CopyRequest,
  size: number,
  partSize: number,
): Promise<void> {
  const { Bucket, Key } = request;
  const { UploadId } = await s3.createMultipartUpload({ Bucket, Key });
  try {
    const Parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += partSize) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + partSize, size) - 1}`;
      const { CopyPartResult } = await slowS3.uploadPartCopy(
        { ...request, UploadId, PartNumber, CopySourceRange },
        { requestTimeout: COPY_MS },
      );
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await slowS3.completeMultipartUpload(
      { Bucket, Key, UploadId, MultipartUpload: { Parts } },
      { requestTimeout: COPY_MS },
    );
  } catch (error) {
    // If this fails too, `unfinished` finds the parts later.
    await s3.abortMultipartUpload({ Bucket, Key, UploadId }).catch(() => undefined);
    throw error;
  }
}
