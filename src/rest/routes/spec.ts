/** Route of the OpenAPI description, for the configured profile. */
import { readFileSync } from 'node:fs';
import { Router } from 'express';
import type { Profile } from '../../contract/profiles.js';
import { locals } from '../request/locals.js';
import { halText } from '../represent/respond.js';

export const spec = Router().get('/spec.json', (_req, res) => {
  halText(res, descriptionOf(locals(res).profile), 200, {
    'Content-Type': 'application/json; charset=utf-8',
  });
});

/** Few ask for a description, so a process is without its text until then. */
const descriptions = new Map<Profile['name'], string>();

function descriptionOf({ name }: Profile): string {
  let text = descriptions.get(name);
  if (text === undefined) {
    const file = new URL(`../../../openapi/generated/${name}.json`, import.meta.url);
    // The file is indented.
    text = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
    descriptions.set(name, text);
  }
  return text;
}
