/** Checks that a bucket is ready. */
import type { HealthCheckResult, HealthCheck, HealthCheckInput } from '../adapter.js';
import { certificateCheck, hostCheck } from '../reach.js';
import { base, urlOf } from './address.js';

const rootUrl = ({ target }: HealthCheckInput): string => `${base(target)}/`;

/** Without a signature, an existing bucket answers 403 and a missing one 404. */
async function bucket({ target }: HealthCheckInput): Promise<HealthCheckResult> {
  const { status } = await target.send({ method: 'HEAD', url: urlOf(target).href });
  if (status !== 404) return { hint: 'The bucket exists.' };
  return { code: 'bucket_missing', hint: 'The store has no such bucket. Check its name.' };
}

export const checks: readonly HealthCheck[] = [
  hostCheck(rootUrl),
  certificateCheck(rootUrl),
  { check: 'bucket', needs: ['host', 'tls'], run: bucket },
];
