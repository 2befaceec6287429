/** The token service of the store (STS) exchanges an OAuth token for keys with a short lifetime. */
import { XMLParser } from 'fast-xml-parser';
import type { Access } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { at } from '../json.js';
import { base } from './address.js';

export interface Session {
  userId: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const REFUSED = ['InvalidIdentityToken', 'ExpiredTokenException', 'AccessDenied'];
const SECONDS = 900;

const parser = new XMLParser({ parseTagValue: false });

/** @throws StorageFailure `unauthorized` if the token is refused */
export async function session(access: Access): Promise<Session> {
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    DurationSeconds: String(SECONDS),
    WebIdentityToken: access.authorization.replace(/^Bearer /, ''),
  });
  const { status, body } = await access.send({
    method: 'POST',
    url: `${base(access)}/`,
    headers: FORM,
    body: form.toString(),
    maxBytes: 65_536,
  });
  const answer = parsed(body);
  const refusal = at(answer, 'ErrorResponse', 'Error', 'Code');
  if (typeof refusal === 'string' && REFUSED.includes(refusal)) throw failureOf(401);
  if (status !== 200) throw failureOf(status);
  const result = at(answer, 'AssumeRoleWithWebIdentityResponse', 'AssumeRoleWithWebIdentityResult');
  const text = (...path: string[]): string => {
    const value = at(result, ...path);
    if (typeof value === 'string' && value !== '') return value;
    throw new StorageFailure('unexpected', status, 'The store gave no keys for the token.');
  };
  return {
    userId: text('SubjectFromWebIdentityToken'),
    credentials: {
      accessKeyId: text('Credentials', 'AccessKeyId'),
      secretAccessKey: text('Credentials', 'SecretAccessKey'),
      sessionToken: text('Credentials', 'SessionToken'),
    },
  };
}

function parsed(body: Buffer): unknown {
  try {
    return parser.parse(body);
  } catch {
    return undefined;
  }
}
