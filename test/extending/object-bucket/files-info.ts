import type { Access, FileInfo } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { openBucket } from './client.js';
import { fileIn } from './file.js';
import { keyOf } from './keys.js';

type Outcome = FileInfo | StorageFailure;

/** One request for each file, because S3 has no request for several. */
export async function filesInfo(
  access: Access,
  ids: readonly string[],
): Promise<Map<string, Outcome>> {
  const bucket = await openBucket(access);
  return new Map(
    await Promise.all(
      ids.map(async (id): Promise<[string, Outcome]> => {
        try {
          return [id, await fileIn(bucket, keyOf(id))];
        } catch (error) {
          if (error instanceof StorageFailure) return [id, error];
          throw error;
        }
      }),
    ),
  );
}
