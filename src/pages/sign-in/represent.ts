/** A sign-in is answered with a page, or with JSON when a page of the application asks for it. */
import type { Request, Response } from 'express';
import { sendOn } from './return-path.js';

export function wantsJson(req: Request, res: Response): boolean {
  res.vary('Accept');
  return req.accepts(['html', 'json']) === 'json';
}

/** @param user who is signed in now */
export function sendSignedIn(
  req: Request,
  res: Response,
  { id }: { id: number },
  returnTo: string,
): void {
  if (wantsJson(req, res)) res.set('Cache-Control', 'no-store').json({ person: id });
  else sendOn(res, returnTo);
}
