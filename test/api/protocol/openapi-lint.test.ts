/** The description of both profiles as an independent linter judges it, by all of its recommended rules. */
import { createConfig, lintFromString, type Config } from '@redocly/openapi-core';
import { profiles } from '../../../src/contract/profiles.js';
import { openApi } from '../../../src/rest/openapi/index.js';
import { expect, test } from '../../support/jest.js';

/** What the rules do not know. */
const intended: [rule: string, pointer: string][] = [
  // They answer a client with 303, never with content.
  ...[
    '/storages/{id}/open',
    '/project_storages/{id}/open',
    '/file_links/{id}/open',
    '/file_links/{id}/download',
  ].map((path): [string, string] => [
    'operation-2xx-response',
    `#/paths/${path.replaceAll('/', '~1')}/get/responses`,
  ]),
  // They come before any operation, so none names them.
  ...['InsufficientScope', 'MethodNotAllowed', 'RequestTimeout', 'HeaderTooLarge'].map(
    (name): [string, string] => ['no-unused-components', `#/components/responses/${name}`],
  ),
];

async function problemsOf(
  document: object,
): Promise<[rule: string, pointer: string | undefined][]> {
  const config: Config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    config,
    absoluteRef: 'openapi.json',
  });
  return problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer]);
}

test.each(Object.values(profiles))(
  'the description of the $name profile has no faults',
  async (profile) => {
    const document = openApi(profile);
    expect((await problemsOf(document)).sort()).toEqual([...intended].sort());
  },
);

test('the linter notices a fault', async () => {
  const document = JSON.parse(JSON.stringify(openApi(profiles.standard)));
  const get = document.paths['/attachments/{id}'].get;
  get.operationId = document.paths['/configuration'].get.operationId;
  get.responses[200].content['application/hal+json'].schema = {
    $ref: '#/components/schemas/Nothing',
  };
  const found = (await problemsOf(document)).map(([rule]) => rule);
  expect(found).toEqual(
    expect.arrayContaining(['operation-operationId-unique', 'no-unresolved-refs']),
  );
});
