import type { Target } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { base } from './address.js';

/** S3 refuses an unsigned request, in XML. */
export async function probe(target: Target): Promise<void> {
  if (target.endpoint === null) return;
  const { status, headers } = await target.send({
    method: 'GET',
    url: `${base(target)}/`,
    maxBytes: 65_536,
  });
  if (/xml/i.test(headers['content-type'] ?? '')) return;
  throw new StorageFailure('unexpected', status, 'What answers there does not speak S3.');
}
