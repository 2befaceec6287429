/** Compares entity tags (RFC 9110 13.1). */
import type { Request } from 'express';

/** Whether a request with `If-Match` wants another content than this. */
export const wantsOther = ({ headers }: Request, etag: string): boolean =>
  !matches(headers['if-match'], etag, true);

/** Whether the client has this content already, as `If-None-Match` says. */
export const hasAlready = ({ headers }: Request, etag: string): boolean =>
  headers['if-none-match'] !== undefined && matches(headers['if-none-match'], etag);

/** Whether a list has this entity tag. @param strong whether weak tags do not match */
function matches(header: string | undefined, etag: string, strong = false): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return header
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === etag || (!strong && tag === `W/${etag}`));
}
