/** `/spec.json`: the description of this interface in the words of the profile. */
import { Router } from 'express';
import { locals } from './locals.js';
import { openApi } from './openapi/index.js';

export const spec = Router().get('/spec.json', (_req, res) => {
  res.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache' }).json(openApi(locals(res).profile));
});
