/** What the two profiles decide differently, over REST and GraphQL. */
import { openS3 } from '../../../src/blobs/s3.js';
import { startApp, type App } from '../../support/app.js';
import { errorBody } from '../../support/expected.js';
import type { Person, StorageHandle } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { linkIn, rowOf } from '../../storages/storages-with-files.js';

const DELETE = `mutation ($id: ID!, $workPackageId: ID) {
  deleteFileLink(input: { id: $id, workPackageId: $workPackageId }) { deletedFileLinkId }
}`;
const LINK = `mutation ($fileLinks: [FileLinkInput!]) {
  createFileLinks(input: { fileLinks: $fileLinks }) { fileLinks { databaseId } }
}`;
const ATTACH = `mutation ($id: ID!, $file: Upload!) {
  createAttachment(input: { containerId: $id, fileName: "a.txt", file: $file }) {
    attachment { databaseId }
  }
}`;

describe.each([
  { name: 'standard', vendor: false, word: 'service-org' },
  { name: 'openproject', vendor: true, word: 'openproject-org' },
])('the $name profile', ({ name, vendor, word }) => {
  let app: App;
  let project: { id: number; name: string; identifier: string };
  let author: Person;
  let storage: StorageHandle;
  let workPackage: Awaited<ReturnType<App['given']['workPackage']>>;
  const notFound = errorBody(
    'NotFound',
    'The requested resource could not be found.',
    undefined,
    word,
  );
  const forbidden = errorBody(
    'MissingPermission',
    'You are not authorized to access this resource.',
    undefined,
    word,
  );

  beforeAll(async () => {
    app = await startApp({ API_PROFILE: name });
    project = await app.given.project();
    author = await app.given.member(project, ['view_work_packages', 'manage_file_links']);
    storage = await app.given.storage();
    await app.given.projectStorage(project, storage);
    workPackage = await app.given.workPackage(project, author);
  });
  afterAll(async () => app?.stop());

  const link = (originId: string) =>
    linkIn(app, { person: author, workPackage }, storage, originId);
  const element = (id: string, of = storage) => ({
    originData: { id, name: 'a' },
    _links: { storage: { href: of.path } },
  });
  const elements = (id: string, of = storage) => ({
    _embedded: { elements: [element(id, of)] },
  });
  const codeOf = async (answer: ReturnType<App['graphql']>) =>
    (await answer).errors?.[0]?.extensions.code ?? 'ok';

  test('a link is deleted by users who manage the links of its work package; only the openproject profile does not require to see links', async () => {
    const manager = await app.given.member(project, ['view_work_packages', 'manage_file_links']);
    const reader = await app.given.member(project, ['view_work_packages']);
    const blind = await app.given.member(project, ['manage_file_links']);
    const other = await app.given.workPackage(project, author);
    const ids = [await link('101'), await link('102'), await link('103')] as const;
    // They do not see the work package, or may not manage its links.
    for (const person of [reader, blind]) {
      const { status, body } = await app.delete(`/api/v3/file_links/${ids[0]}`, person);
      expect({ status, body }).toEqual({ status: 404, body: notFound });
      expect(await codeOf(app.graphql(DELETE, { id: ids[0] }, person))).toBe('NOT_FOUND');
    }
    // It is not visible to the manager, and the path of another work package never works.
    expect((await app.get(`/api/v3/file_links/${ids[0]}`, manager)).status).toBe(404);
    expect((await app.delete(`${other.path}/file_links/${ids[0]}`, manager)).status).toBe(404);
    expect(
      await codeOf(app.graphql(DELETE, { id: ids[0], workPackageId: other.id }, manager)),
    ).toBe('NOT_FOUND');
    const wanted = vendor ? 204 : 404;
    expect((await app.delete(`/api/v3/file_links/${ids[0]}`, manager)).status).toBe(wanted);
    expect((await app.delete(`${workPackage.path}/file_links/${ids[1]}`, manager)).status).toBe(
      wanted,
    );
    expect(
      await codeOf(app.graphql(DELETE, { id: ids[2], workPackageId: workPackage.id }, manager)),
    ).toBe(vendor ? 'ok' : 'NOT_FOUND');
    const rows = await Promise.all(ids.map((id) => rowOf(app, id)));
    expect(rows.map(Boolean)).toEqual(vendor ? [false, false, false] : [true, true, true]);
    // The project no longer uses the storage.
    const unused = await app.given.storage();
    const hidden = await linkIn(app, { person: author, workPackage }, unused, '104');
    expect((await app.delete(`/api/v3/file_links/${hidden}`, manager)).status).toBe(404);
  });

  test('a link without a work package requires manage_file_links, or in the openproject profile view_work_packages and view_file_links, in a project that uses the storage', async () => {
    const [viewers, managers] = [['view_work_packages', 'view_file_links'], ['manage_file_links']];
    const viewer = await app.given.member(project, viewers);
    const manager = await app.given.member(project, managers);
    const [right, wrong] = vendor ? [viewer, manager] : [manager, viewer];
    const { status, body } = await app.post('/api/v3/file_links', wrong, elements('201'));
    expect({ status, body }).toEqual({ status: 403, body: forbidden });
    const fileLinks = [{ storageId: storage.globalId, originData: { id: '202', name: 'a' } }];
    expect(await codeOf(app.graphql(LINK, { fileLinks }, wrong))).toBe('MISSING_PERMISSION');
    if (vendor) {
      expect((await app.post('/api/v3/file_links', right, elements('201'))).status).toBe(201);
      expect(await codeOf(app.graphql(LINK, { fileLinks }, right))).toBe('ok');
    }
    // Both permissions, but in projects that do not use the storage together.
    const elsewhere = await app.given.project();
    const half = await app.given.member(elsewhere, vendor ? viewers : managers);
    await app.given.membership(half, project, vendor ? ['view_file_links'] : viewers);
    const refused = await app.post('/api/v3/file_links', half, elements('201'));
    expect([refused.status, refused.body.message]).toEqual([
      422,
      `Error attempting to create dependent object: File link - a: ${
        vendor ? 'Storage does not exist.' : 'Storage is not linked to project.'
      }`,
    ]);
    expect((await app.post('/api/v3/file_links', undefined, elements('201'))).status).toBe(403);
  });

  test('a link to a work package requires no permission to view links; the storages of its project are found', async () => {
    const manager = await app.given.member(project, ['view_work_packages', 'manage_file_links']);
    const unused = await app.given.storage();
    const list = `${workPackage.path}/file_links`;
    const { status, body } = await app.post(list, manager, elements('301'));
    expect([status, body._embedded?.elements[0].originData.id]).toEqual([201, '301']);
    const messageOf = async (person: Person, of: StorageHandle) =>
      (await app.post(list, person, elements('302', of))).body.message;
    const problem = (text: string) =>
      `Error attempting to create dependent object: File link - a: ${text}`;
    expect(await messageOf(manager, unused)).toBe(problem('Storage does not exist.'));
    // Now the manager sees the other storage, in another project.
    const elsewhere = await app.given.project();
    await app.given.projectStorage(elsewhere, unused);
    await app.given.membership(manager, elsewhere, ['view_work_packages', 'view_file_links']);
    expect(await messageOf(manager, unused)).toBe(problem('Storage is not linked to project.'));
    const reader = await app.given.member(project, ['view_work_packages', 'view_file_links']);
    expect((await app.post(list, reader, elements('302'))).status).toBe(403);
  });

  test('a file is added to a comment by everybody who sees it, or in the openproject profile by those who may write comments', async () => {
    const reader = await app.given.member(project, ['view_work_packages']);
    const writer = await app.given.member(project, [
      'view_work_packages',
      'add_work_package_comments',
    ]);
    const comment = await app.given.comment(workPackage, author);
    const upload = await app.upload(comment.attachments, { as: reader });
    expect(upload.status).toBe(vendor ? 403 : 200);
    if (vendor) expect(upload.body).toEqual(forbidden);
    const viaGraph = (person: Person) =>
      codeOf(app.graphqlUpload(ATTACH, { id: comment.globalId }, 'text', person));
    expect(await viaGraph(reader)).toBe(vendor ? 'MISSING_PERMISSION' : 'ok');
    expect(await viaGraph(writer)).toBe('ok');
    expect((await app.upload(comment.attachments, { as: writer })).status).toBe(vendor ? 201 : 200);
    const links = async (person: Person) => (await app.get(comment.path, person)).body._links;
    expect('addAttachment' in (await links(reader))).toBe(!vendor);
    expect(await links(writer)).toMatchObject({ addAttachment: { href: comment.attachments } });
    const other = await app.given.workPackage(project, author);
    const stranger = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
    // Work packages have one rule for both.
    expect((await app.upload(other.attachments, { as: stranger })).status).toBe(vendor ? 201 : 200);
  });

  test('a missing part of an upload is an invalid body, or in the openproject profile a blank file', async () => {
    const editor = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
    const reader = await app.given.member(project, ['view_work_packages']);
    const path = (await app.given.workPackage(project, author)).attachments;
    const send = (to: string, parts: { metadata?: string; file?: Blob }, as = editor) => {
      const form = new FormData();
      if (parts.metadata !== undefined) form.append('metadata', parts.metadata);
      if (parts.file) form.append('file', parts.file, 'x.txt');
      return app.request('POST', to, { as, body: form });
    };
    const missing = (part: string) =>
      vendor
        ? errorBody('PropertyConstraintViolation', "File can't be blank.", 'file', word)
        : errorBody('InvalidRequestBody', `The part ${part} is missing.`, undefined, word);
    for (const [answer, part] of [
      [await send(path, { file: new Blob(['x']) }), 'metadata'],
      [await send(path, { metadata: '{"fileName":"x.txt"}' }), 'file'],
      [await send(`${path}/prepare`, {}), 'metadata'],
      [await send('/api/v3/attachments', { file: new Blob(['x']) }), 'metadata'],
    ] as const) {
      const { status, body } = answer;
      expect({ status, body }).toEqual({ status: vendor ? 422 : 400, body: missing(part) });
    }
    // Permissions come first.
    for (const parts of [{ file: new Blob(['x']) }, { metadata: '{"fileName":"x.txt"}' }, {}])
      expect((await send(path, parts, reader)).body).toEqual(forbidden);
  });

  test('in both, a project links to its storages, and a project storage to the page that opens it', async () => {
    const { given } = app;
    const viewer = await given.member(project, ['view_work_packages', 'view_file_links']);
    const blind = await given.member(project, ['view_work_packages']);
    const linksOf = async (path: string, person: Person) =>
      (await app.get(`/api/v3/${path}`, person)).body._links;
    const { storages, projectStorages } = await linksOf(`projects/${project.id}`, viewer);
    expect([storages, projectStorages]).toEqual([
      [{ href: storage.path, title: storage.name }],
      {
        href: `/api/v3/project_storages?filters=${encodeURIComponent(
          JSON.stringify([{ projectId: { operator: '=', values: [String(project.id)] } }]),
        )}`,
      },
    ]);
    const hidden = await linksOf(`projects/${project.id}`, blind);
    expect([hidden.storages, hidden.projectStorages]).toEqual([undefined, undefined]);
    const [use] = (await app.get(projectStorages.href, viewer)).body._embedded.elements;
    const page = `/projects/${project.identifier}/project_storages/${use.id}/open`;
    const visit = async (path: string, accept: string) => {
      const answer = await fetch(app.url + path, { redirect: 'manual', headers: { accept } });
      return [answer.status, answer.headers.get('location')];
    };
    expect(await visit(page, 'text/html')).toEqual([
      303,
      `/login?return_to=${encodeURIComponent(page)}`,
    ]);
  });

  test('in both, parts beside the metadata of a prepared upload are ignored', async () => {
    // Forms are signed without a request to the store, so none is running.
    const { directUpload } = openS3({
      endpoint: 'http://127.0.0.1:9',
      region: 'us-east-1',
      bucket: 'none',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      forcePathStyle: true,
    });
    const { blobs } = app.running.services;
    blobs.directUpload = directUpload!;
    const editor = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
    const form = new FormData();
    form.append('file', new Blob(['abc']), 'a.txt');
    form.append('metadata', JSON.stringify({ fileName: 'a.txt', fileSize: 3 }));
    const answer = await fetch(`${app.url}${workPackage.attachments}/prepare`, {
      method: 'POST',
      headers: { authorization: `Bearer ${editor.key}` },
      body: form,
    });
    expect([answer.status, await answer.json()]).toEqual([
      201,
      expect.objectContaining({ _type: 'AttachmentUpload', fileName: 'a.txt' }),
    ]);
  });

  test('absent members of a folder or an upload of a storage are blank, or in the openproject profile an invalid body', async () => {
    const all = ['view_work_packages', 'view_file_links', 'manage_file_links'];
    const manager = await app.given.member(project, all);
    const viewer = await app.given.member(project, all.slice(0, 2));
    const folders = `${storage.path}/folders`;
    const uploads = `${storage.path}/files/prepare_upload`;
    const upload = { projectId: project.id, fileName: 'a.txt', parent: '/' };
    const without = (name: keyof typeof upload) =>
      Object.fromEntries(Object.entries(upload).filter(([member]) => member !== name));
    for (const [path, body, member, blank, attribute] of [
      [folders, { title: 'a', parentId: '/' }, 'name', "Name can't be blank.", 'name'],
      [folders, { name: 'a', folder: '/' }, 'parentId', "Parent can't be blank.", 'parent'],
      [uploads, without('projectId'), 'projectId', "Project can't be blank.", 'projectId'],
      [uploads, without('fileName'), 'fileName', "File name can't be blank.", 'fileName'],
      [uploads, without('parent'), 'parent', "Parent can't be blank.", 'parent'],
    ] as const) {
      const answer = await app.post(path, manager, body);
      expect({ status: answer.status, body: answer.body }).toEqual(
        vendor
          ? {
              status: 400,
              body: errorBody(
                'InvalidRequestBody',
                `The request body has no member ${member}.`,
                undefined,
                word,
              ),
            }
          : {
              status: 422,
              body: errorBody('PropertyConstraintViolation', blank, attribute, word),
            },
      );
      expect((await app.post(path, viewer, body)).body).toEqual(forbidden);
    }
    // A member without a value is blank in both. Other spellings of the parent are accepted.
    for (const body of [
      { name: null, parentId: '/' },
      { name: '', parent_id: '/' },
      { name: ' ', parent: '/' },
    ])
      expect((await app.post(folders, manager, body)).body).toEqual(
        errorBody('PropertyConstraintViolation', "Name can't be blank.", 'name', word),
      );
  });
});
