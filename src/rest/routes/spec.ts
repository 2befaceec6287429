/** Route of the OpenAPI description, for the configured profile. */
import { Router } from 'express';
import { locals } from '../request/locals.js';
import { hal } from '../represent/respond.js';

export const spec = Router().get('/spec.json', async (_req, res) => {
  // Few ask for it, so a process is without its text until then.
  const { openApi } = await import('../openapi/index.js');
  hal(res, openApi(locals(res).profile), 200, {
    'Content-Type': 'application/json; charset=utf-8',
  });
});
