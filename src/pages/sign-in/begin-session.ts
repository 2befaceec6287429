/** Begins the session of a browser whose user is known. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { DEVICE_SECONDS, deviceCookie } from '../../auth/device-cookie.js';
import { cookieOf, type Sessions } from '../../auth/sessions.js';
import type { Services } from '../../context.js';
import { languageOf } from '../words/index.js';

export type SignInNeeds = Pick<
  Services,
  'db' | 'keyring' | 'clock' | 'sessions' | 'openId' | 'mailer' | 'base' | 'settings'
>;

/**
 * @param expected see `Sessions.begin`
 * @returns whether the user still has the expected columns; false: there is no session
 */
export async function beginSession(
  needs: SignInNeeds,
  req: Request,
  res: Response,
  { id, login }: { id: number; login: string },
  expected: Parameters<Sessions['begin']>[3],
): Promise<boolean> {
  const { sessions } = needs;
  const begun = await sessions.begin(req, res, { id, language: languageOf(res) }, expected);
  if (!begun) return false;
  const device = sessions.deviceCookieName;
  res.cookie(device, deviceCookie(needs, cookieOf(req, device), login), {
    ...sessions.attributes,
    maxAge: DEVICE_SECONDS * 1000,
  });
  (res.locals['log'] as Logger).info({ user: id }, 'a user signed in');
  return true;
}
