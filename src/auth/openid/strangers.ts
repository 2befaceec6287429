/** Writes to the log which identity nobody here has, with a code that the person can pass on. */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Claims } from './users.js';

const CODE_LENGTH = 8;
const LONGEST = 300;

/** @returns the code; one identity always has the same */
export function logStranger(log: Logger, { iss: issuer, sub: subject }: Claims): string {
  const code = createHash('sha256')
    .update(`${issuer} ${subject}`)
    .digest('hex')
    .slice(0, CODE_LENGTH)
    .toUpperCase();
  log.warn(
    { code, issuer, subject: String(subject).slice(0, LONGEST) },
    'nobody here has this identity; `moorage user link --login LOGIN --subject SUBJECT` links it',
  );
  return code;
}
