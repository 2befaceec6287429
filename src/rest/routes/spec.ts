/** Route of the OpenAPI description, for the configured profile. */
import { Router } from 'express';
import { locals } from '../request/locals.js';
import { openApi } from '../openapi/index.js';
import { hal } from '../represent/respond.js';

export const spec = Router().get('/spec.json', (_req, res) => {
  hal(res, openApi(locals(res).profile), 200, {
    'Content-Type': 'application/json; charset=utf-8',
  });
});
