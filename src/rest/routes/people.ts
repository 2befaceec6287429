/** Routes of users. */
import { Router } from 'express';
import * as documents from '../generated/documents.js';
import { run } from '../documents/run.js';
import { idOf, locals } from '../request/locals.js';
import { representUser } from '../represent/user.js';
import { hal } from '../represent/respond.js';

export const people = Router()
  .get('/users/me', async (_req, res) => {
    const { viewer } = await run(locals(res).context, documents.ViewMeDocument, {});
    hal(res, representUser(locals(res), viewer));
  })
  .get('/users/:id', async (req, res) => {
    const { user } = await run(locals(res).context, documents.ViewUserDocument, { id: idOf(req) });
    hal(res, representUser(locals(res), user));
  });
