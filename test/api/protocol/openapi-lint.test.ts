/** Checks the description of both profiles with an independent linter, and that it is complete. */
import { profiles } from '../../../src/contract/profiles.js';
import { examplesOf } from '../../../openapi/examples.js';
import { describe, expect, test } from '../../support/jest.js';
import { problemsOf } from '../../support/linter/lint.js';
import { descriptionOf } from '../../support/openapi.js';

/** Findings of the linter that are false here. */
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
  // These answers come before any operation, so no operation has them.
  ...['InsufficientScope', 'MethodNotAllowed', 'RequestTimeout', 'HeaderTooLarge'].map(
    (name): [string, string] => ['no-unused-components', `#/components/responses/${name}`],
  ),
];

test.each(Object.values(profiles))(
  'the description of the $name profile has no findings',
  async (profile) => {
    const document = descriptionOf(profile);
    expect((await problemsOf(document)).sort()).toEqual([...intended].sort());
  },
);

test('the linter finds errors', async () => {
  const document = descriptionOf(profiles.standard) as any;
  document.paths['/users/me'].get.parameters = [{ name: 'id', in: 'nowhere' }];
  document.components.schemas.Digest.type = 'text';
  const get = document.paths['/attachments/{id}'].get;
  get.operationId = document.paths['/configuration'].get.operationId;
  get.responses[200].content['application/hal+json'].schema = {
    $ref: '#/components/schemas/Nothing',
  };
  expect(await problemsOf(document)).toEqual(
    expect.arrayContaining([
      ['operation-operationId-unique', expect.any(String)],
      ['no-unresolved-refs', expect.any(String)],
      ['struct', '#/paths/~1users~1me/get/parameters/0/in'],
      ['struct', '#/components/schemas/Digest/type'],
    ]),
  );
  expect(await problemsOf({ ...document, paths: [] })).toContainEqual(['struct', '#/paths']);
});

interface Node {
  [key: string]: Node;
}
const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Parts of a document, by their pointers, that need a description. */
function describedParts(document: Node): Map<string, Node> {
  const parts = new Map<string, Node>();
  const add = (pointer: string, children: Node | undefined) =>
    Object.entries(children ?? {}).forEach(([name, child]) =>
      parts.set(`${pointer}/${name}`, child),
    );
  const visit = (node: Node, pointer: string): void => {
    if (node['type'] || node['$ref'] || node['oneOf'])
      add(`${pointer}/properties`, node['properties']);
    for (const name of ['parameters', 'responses', 'headers', 'tags'])
      add(`${pointer}/${name}`, node[name]);
    if (node['operationId']) parts.set(pointer, node);
    if (node['requestBody']) parts.set(`${pointer}/requestBody`, node['requestBody']);
    for (const [name, child] of Object.entries(node))
      // Examples are data, and operations name their tags.
      if (isObject(child) && name !== 'examples') visit(child, `${pointer}/${name}`);
  };
  visit(document, '');
  const components = document['components']!;
  for (const name of ['schemas', 'securitySchemes']) add(`/components/${name}`, components[name]);
  return new Map([...parts].filter(([, part]) => isObject(part)));
}

const resolved = (document: Node, reference: unknown): Node =>
  String(reference)
    .split('/')
    .slice(1)
    .reduce((node, name) => node[name]!, document);

/** Parts without a description; a reference can have one instead. */
const undescribed = (document: Node): string[] =>
  [...describedParts(document)]
    .filter(([, part]) => {
      const description = part['description'] ?? resolved(document, part['$ref'])['description'];
      return typeof description !== 'string' || (description as string).trim() === '';
    })
    .map(([pointer]) => pointer);

describe.each(Object.values(profiles))('the description of the $name profile', (profile) => {
  const document = descriptionOf(profile) as unknown as Node;

  test('describes every member, parameter, header, response, request body, operation and tag', () => {
    expect(describedParts(document).size).toBeGreaterThan(2000);
    expect(undescribed(document)).toEqual([]);
  });

  test('has an example of every operation', () => {
    const operations = Object.values(document['paths'] as unknown as { [path: string]: object });
    const ids = operations.flatMap((item) =>
      Object.values(item).flatMap((one: { operationId?: string }) => one.operationId ?? []),
    );
    expect(ids.length).toBeGreaterThan(50);
    expect(Object.keys(examplesOf(profile)).sort()).toEqual(ids.sort());
  });

  test('fails if a description is missing', () => {
    const copy = structuredClone(document);
    const { schemas } = copy['components'] as Node;
    delete schemas!['User']!['properties']!['login']!['description'];
    delete schemas!['Digest']!['description'];
    delete copy['paths']!['/users/me']!['get']!['description'];
    expect(undescribed(copy)).toEqual(
      expect.arrayContaining([
        '/components/schemas/User/properties/login',
        '/components/schemas/Digest',
        '/paths//users/me/get',
      ]),
    );
  });

  test('links only to pages that it serves', () => {
    const text = JSON.stringify(document);
    expect(
      text.match(/interface (section )?\d[^"]{0,20}|\b(decisions|facts) \d|\b[CT]\d{1,3}\b/g),
    ).toBe(null);
  });
});
