/** The context of a request to an address that needs no credentials. */
import type { Request, Response } from 'express';
import { holderOf, type Target } from '../../actions/files/attachments/temporary-address.js';
import { makeContext, type Context } from '../../context.js';
import { locals } from './locals.js';

/**
 * The context of the user for whom the address was made, else that of the caller. Documents that are
 * shown must not send the address to others.
 */
export async function contextFor(req: Request, res: Response, target: Target): Promise<Context> {
  const { context, log } = locals(res);
  const { access } = req.query;
  if (access === undefined) return context;
  res.set('Referrer-Policy', 'no-referrer');
  const user = await holderOf(context, String(access), target);
  const caller = user.anonymous ? context.caller : user.id;
  return makeContext(context, user, { log, caller });
}
