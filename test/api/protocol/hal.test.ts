/** A generic client follows every link of the HAL API from the root, as users who see different links. */
import { profiles, type Profile } from '../../../src/contract/profiles.js';
import { startApp, type App } from '../../support/app.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { contractOf, operationsOf, type Description } from '../../support/openapi.js';
import {
  stockedCloudDrive,
  stockedFileServer,
  type Stocked,
} from '../../storages/storages-with-files.js';
import { peopleOf, type Inhabited } from './sample-service.js';
import { walk, type Told, type Walk } from './hal-client.js';

const people = ['admin', 'member', 'anonymous'] as const;
type Who = (typeof people)[number];

const QUARANTINED =
  'GET /attachments/{id}/content: 403 The file is quarantined because the virus scan found something in it.';
/** Storage requests in the caller's name. Anonymous users have no account there. */
const unconnected = ({ unauthenticatedWithoutToken }: Profile) => {
  const sentence = 'The storage does not know you. Connect to it first.';
  const failed = `500 An outbound request to another resource has failed: ${sentence}`;
  return [
    `GET /file_links/{id}/download: ${failed}`,
    `GET /file_links/{id}/open: ${failed}`,
    `GET /project_storages/{id}/open: ${failed}`,
    `GET /storages/{id}/files/{fileId}: ${unauthenticatedWithoutToken ? `401 ${sentence}` : failed}`,
    `GET /storages/{id}/open: ${failed}`,
  ];
};
/** Links that only users with all permissions see. */
const editing = ({ scopedFileLinks }: Profile, who: Who) =>
  [
    ...['activities', 'meetings', 'posts', 'wiki_pages', 'work_packages'].map(
      (segment) => `addAttachment: POST /${segment}/{id}/attachments`,
    ),
    'addComment: POST /work_packages/{id}/activities',
    'addFileLink: POST /work_packages/{id}/file_links',
    'createWorkPackage: POST /projects/{id}/work_packages/form',
    'createWorkPackage: POST /work_packages/form',
    'createWorkPackageImmediate: POST /projects/{id}/work_packages',
    'createWorkPackageImmediate: POST /work_packages',
    'createWorkPackageImmediately: POST /projects/{id}/work_packages',
    'delete: DELETE /attachments/{id}',
    // The longer path is for links of a work package. One of the member's links has no work
    // package.
    ...(scopedFileLinks && who === 'admin' ? [] : ['delete: DELETE /file_links/{id}']),
    ...(scopedFileLinks ? ['delete: DELETE /work_packages/{workPackageId}/file_links/{id}'] : []),
    'prepareUpload: POST /storages/{id}/files/prepare_upload',
    who === 'admin'
      ? 'unreadIAN: POST /notifications/{id}/unread_ian'
      : 'readIAN: POST /notifications/{id}/read_ian',
    'update: PATCH /activities/{id}',
    'updateImmediately: PATCH /work_packages/{id}',
  ].sort();

let remotes: Stocked[];
beforeAll(async () => {
  remotes = await Promise.all([stockedFileServer(), stockedCloudDrive()]);
});
afterAll(async () => {
  await Promise.all(remotes.map((remote) => remote.close()));
});

/** The operation of a request in the OpenAPI description, e.g. `GET /attachments/{id}`. */
function operationOf(document: Description, method: string, path: string): string | undefined {
  const { pathname } = new URL(path, 'http://service');
  const fits = (template: string) =>
    new RegExp(
      `^/api/v3${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`.replace(
        /\/\$$/,
        '/?$',
      ),
    ).test(pathname);
  return operationsOf(document)
    .map(([name]) => name)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .find((name) => name.startsWith(`${method} `) && fits(name.split(' ')[1]!));
}

describe.each(Object.values(profiles))('the $name profile', (profile) => {
  const { document } = contractOf(profile);
  let app: App;
  let inhabited: Inhabited;
  const walks = {} as { [who in Who]: Walk };
  beforeAll(async () => {
    app = await startApp({
      API_PROFILE: profile.name,
      ...Object.assign({}, ...remotes.map(({ environment }) => environment)),
    });
    inhabited = await peopleOf(app, remotes);
    const parameterless = operationsOf(document)
      .map(([name]) => name)
      .filter((name) => /^GET [^{]*$/.test(name))
      .map((name) => `/api/v3${name.slice('GET '.length)}`.replace(/\/$/, ''));
    for (const who of people)
      walks[who] = await walk(app, [...parameterless, ...inhabited.starts], inhabited.people[who]);
  });
  afterAll(() => app.stop());

  const said = (method: string, path: string, { status, message }: Told) =>
    `${operationOf(document, method, path)}: ${status} ${message}`;
  const refusalsOf = (who: Who) =>
    [
      ...new Set(
        walks[who].steps
          .filter(({ answer }) => answer.status >= 400)
          .map(({ path, answer }) => said('GET', path, answer)),
      ),
    ].sort();

  test.each(people)(
    '%s gets 200 from every start address, except for unclaimed files and links of others',
    (who) => {
      const refused = [...walks[who].started].filter(([, { status }]) => status !== 200);
      expect(refused).toEqual(
        who === 'member'
          ? []
          : [
              ...(who === 'anonymous'
                ? ['/api/v3/work_packages/available_projects', '/api/v3/notifications'].map(
                    (path) => [
                      path,
                      { status: 403, message: 'You are not authorized to access this resource.' },
                    ],
                  )
                : []),
              ...inhabited.own.map((path) => [
                path,
                { status: 404, message: 'The requested resource could not be found.' },
              ]),
            ],
      );
    },
  );

  test.each(people)('every GET link that %s sees resolves', (who) => {
    const { steps } = walks[who];
    expect(steps.length).toBeGreaterThan(50);
    expect(refusalsOf(who)).toEqual(
      [...(who === 'anonymous' ? unconnected(profile) : []), QUARANTINED].sort(),
    );
    // Outside of the API, it leads only to the page where a browser connects to a storage.
    const outside = steps.filter(({ path }) => !operationOf(document, 'GET', path));
    const shape = (path: string) => path.replace(/\?.*/, '').replace(/[\w-]+(?=\/ensure)/, '{id}');
    expect(new Set(outside.map(({ path, answer }) => `${shape(path)} ${answer.status}`))).toEqual(
      new Set(['/oauth_clients/{id}/ensure_connection 303']),
    );
  });

  test('templated links work with values for their variables', () => {
    const shape = (path: string) =>
      path
        .replace(/filters=[^&]*&/, '')
        .replace(/\d+(?=\/file_links)/, '{id}')
        .replace(/pageSize=(20|1000)$/, 'pageSize={own}');
    const followed = walks.member.steps
      .filter(({ rel }) => rel === 'jumpTo' || rel === 'changeSize')
      .map(({ path, answer }) => `${shape(path)} ${answer.status}`);
    const lists = [
      '/api/v3/memberships',
      '/api/v3/notifications',
      '/api/v3/projects',
      '/api/v3/projects/1/work_packages',
      ...(profile.wholeStorages ? [] : ['/api/v3/storages']),
      '/api/v3/work_packages',
      '/api/v3/work_packages/available_projects',
      '/api/v3/work_packages/{id}/file_links',
    ];
    expect([...new Set(followed)].sort()).toEqual(
      lists
        .flatMap((list) => [
          `${list}?offset=1&pageSize=5 200`,
          `${list}?offset=2&pageSize=5 200`,
          `${list}?offset=2&pageSize={own} 200`,
        ])
        .sort(),
    );
  });

  test.each(people)(
    'every link with another method that %s sees is an operation that its path allows',
    async (who) => {
      const { actions } = walks[who];
      for (const { method, path } of actions) {
        expect({ method, path, operation: operationOf(document, method, path) }).toEqual({
          method,
          path,
          operation: expect.any(String),
        });
        const { status, headers } = await app.request('OPTIONS', path);
        expect([status, headers.get('allow')?.split(/, ?/)]).toEqual([
          200,
          expect.arrayContaining([method]),
        ]);
      }
      const offered = [
        ...new Set(
          actions.map(({ rel, method, path }) => `${rel}: ${operationOf(document, method, path)}`),
        ),
      ].sort();
      // Users who can view a comment can add a file to it, except in the openproject profile.
      const viewing = profile.attachesAsPrepares
        ? []
        : ['addAttachment: POST /activities/{id}/attachments'];
      expect(offered).toEqual(who === 'anonymous' ? viewing : editing(profile, who));
    },
  );

  test('links reach every GET operation of the API', () => {
    const reached = new Set(
      people
        .flatMap((who) => [
          ...walks[who].started.keys(),
          ...walks[who].steps.map(({ path }) => path),
        ])
        .map((path) => operationOf(document, 'GET', path)),
    );
    const missed = operationsOf(document)
      .map(([name]) => name)
      .filter((name) => name.startsWith('GET ') && !reached.has(name))
      .sort();
    // The first link is shown only with a prepared upload, the second in forms, the others in no
    // document. The addresses of pictures and archives are members, not links.
    expect(missed).toEqual(
      [
        'GET /attachments/{id}/uploaded',
        ...['activities', 'meetings', 'posts', 'wiki_pages', 'work_packages'].map(
          (segment) => `GET /${segment}/{id}/attachments/archive`,
        ),
        'GET /projects/{id}/available_assignees',
        'GET /storages/{id}/files',
        'GET /users/{id}/avatar',
        ...(profile.scopedFileLinks ? [] : ['GET /work_packages/{workPackageId}/file_links/{id}']),
      ].sort(),
    );
  });

  test.each(people)(
    'the other links that %s sees are URNs of this profile and absolute URLs of the storages',
    (who) => {
      const { names, elsewhere, absent } = walks[who];
      expect(
        names.filter(
          ({ href }) =>
            !new RegExp(`^urn:${profile.urnWord}:api:v3:(storages|file-links):[\\w:]+$`).test(href),
        ),
      ).toEqual([]);
      expect(names.length).toBeGreaterThan(3);
      const servers = remotes.map(({ server }) => new URL(server.url).host);
      const named = elsewhere.map(({ rel, href }) => ({
        rel,
        ours: servers.includes(new URL(href).host) || new URL(href).protocol === 'https:',
      }));
      expect(named.filter(({ ours }) => !ours)).toEqual([]);
      expect(new Set(named.map(({ rel }) => rel))).toEqual(
        new Set([
          'origin',
          'originOpen',
          'originOpenLocation',
          ...(who === 'admin' ? ['redirectUri'] : []),
        ]),
      );
      expect(new Set(absent)).toEqual(
        new Set(['assignee', 'parent', 'responsible', ...(who === 'member' ? ['container'] : [])]),
      );
    },
  );
});
