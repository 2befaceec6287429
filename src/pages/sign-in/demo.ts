/** `POST /login/demo`: sign-in as a user of the demo. */
import { Router } from 'express';
import { demoUsers, WITHOUT_PASSWORD } from '../../auth/demo-users.js';
import { NotFound } from '../../contract/errors.js';
import { beginSession, type SignInNeeds } from './begin-session.js';
import { sendSignedIn } from './represent.js';
import { returnPath } from './return-path.js';

export const demoSignIn = (needs: SignInNeeds): Router =>
  Router().post('/login/demo', async (req, res) => {
    const { login } = (req.body ?? {}) as { login?: unknown };
    const user = (await demoUsers(needs, req)).find((one) => one.login === login);
    if (!user || !(await beginSession(needs, req, res, user, WITHOUT_PASSWORD)))
      throw new NotFound();
    sendSignedIn(req, res, user, returnPath(req, res, needs.base));
  });
