/** `POST /login`: sign-in with a login and a password. */
import { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { attemptOf, TooManyGuesses, userByPassword } from '../../auth/password-sign-in.js';
import { beginSession, type SignInNeeds } from './begin-session.js';
import { sendSignIn, WrongPassword } from './form.js';
import { sendSignedIn } from './represent.js';
import { returnPath } from './return-path.js';

export const passwordSignIn = (needs: SignInNeeds): Router =>
  Router().post('/login', async (req, res) => {
    const { login, password } = (req.body ?? {}) as { login?: unknown; password?: unknown };
    const returnTo = returnPath(req, res, needs.base);
    // PostgreSQL refuses a null character in text, and no login has one.
    const typed = typeof login === 'string' && !login.includes('\0') ? login : '';
    try {
      const user = await findUser(needs, req, res, typed, password);
      if (user && (await beginSession(needs, req, res, user, { password_hash: user.passwordHash })))
        return sendSignedIn(req, res, user, returnTo);
      await sendSignIn(needs, req, res, {
        returnTo,
        login: typed,
        wrong: new WrongPassword(),
      });
    } catch (error) {
      if (!(error instanceof TooManyGuesses)) throw error;
      res.setHeader('Retry-After', error.retryAfterSeconds);
      await sendSignIn(needs, req, res, {
        returnTo,
        login: typed,
        wrong: error,
      });
    }
  });

async function findUser(
  needs: SignInNeeds,
  req: Request,
  res: Response,
  login: string,
  password: unknown,
) {
  if (login === '' || typeof password !== 'string' || password === '') return undefined;
  return userByPassword(
    { ...needs, log: res.locals['log'] as Logger },
    { ...attemptOf(needs, req, login), password },
  );
}
