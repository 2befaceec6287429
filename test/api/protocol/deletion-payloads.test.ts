/** The payload of a deletion gives what the deleted row belonged to, as it is afterwards. */
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

const KINDS = ['WorkPackage', 'Activity', 'Meeting', 'Post', 'WikiPage'] as const;
const DELETE_ATTACHMENT = `mutation ($id: ID!) {
  deleteAttachment(input: { id: $id }) {
    deletedAttachmentId
    container { id attachments { totalCount nodes { fileName container { id } } } }
  }
}`;

describe.each(['standard', 'openproject'])('profile %s', (profile) => {
  let app: App;
  let project: { id: number };
  let person: Person;
  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile });
    project = await app.given.project();
    person = await app.given.member(project, [
      'view_work_packages',
      'add_work_packages',
      'edit_work_packages',
      'add_work_package_comments',
      'view_meetings',
      'edit_meetings',
      'view_messages',
      'edit_messages',
      'view_wiki_pages',
      'edit_wiki_pages',
      'view_file_links',
      'manage_file_links',
      'manage_files_in_project',
    ]);
  });
  afterAll(() => app.stop());

  const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');
  const done = async (query: string, variables: object = {}, as = person) => {
    const { data, errors } = await app.graphql(query, variables, as);
    expect(errors).toBeUndefined();
    return data;
  };

  test.each(KINDS)('an attachment: its %s', async (kind) => {
    const container = await app.given.container(kind, project, person);
    const [gone] = [
      await app.given.attachment({ container, author: person, fileName: 'gone.txt' }),
      await app.given.attachment({ container, author: person, fileName: 'stays.txt' }),
    ];
    expect(await done(DELETE_ATTACHMENT, { id: String(gone.id) })).toEqual({
      deleteAttachment: {
        deletedAttachmentId: globalId('Attachment', gone.id),
        container: {
          id: container.globalId,
          attachments: {
            totalCount: 1,
            nodes: [{ fileName: 'stays.txt', container: { id: container.globalId } }],
          },
        },
      },
    });
  });

  test('an unclaimed attachment: none', async () => {
    const { id } = await app.given.attachment({ author: person });
    expect(await done(DELETE_ATTACHMENT, { id: String(id) })).toEqual({
      deleteAttachment: { deletedAttachmentId: globalId('Attachment', id), container: null },
    });
  });

  test('each deletion of one document gives the counts after it', async () => {
    const container = await app.given.workPackage(project, person);
    const files = [];
    for (let count = 0; count < 3; count += 1)
      files.push(await app.given.attachment({ container, author: person }));
    const [a, b, c] = files.map(({ id }) => id);
    const one = (id: number | undefined) =>
      `deleteAttachment(input: { id: ${id} }) { container { attachments { totalCount } ... on WorkPackage { activities { totalCount } } } }`;
    const left = (totalCount: number, activities: number) => ({
      container: { attachments: { totalCount }, activities: { totalCount: activities } },
    });
    expect(await done(`mutation { a: ${one(a)} b: ${one(b)} c: ${one(c)} }`)).toEqual({
      a: left(2, 1),
      b: left(1, 2),
      c: left(0, 3),
    });
  });

  test('what the deletion has read before is read again', async () => {
    const container = await app.given.workPackage(project, person);
    const { id } = await app.given.attachment({ container, author: person });
    const { deleteAttachment } = await done(
      `mutation ($id: ID!) {
        deleteAttachment(input: { id: $id }) {
          container { updatedAt ... on WorkPackage { activities { nodes { workPackage { updatedAt } } } } }
        }
      }`,
      { id: String(id) },
    );
    const { updatedAt, activities } = deleteAttachment.container;
    expect(activities.nodes).toEqual([{ workPackage: { updatedAt } }]);
  });

  test('a container costs one statement, and nothing if it is not selected', async () => {
    const container = await app.given.workPackage(project, person);
    const readsAfter = async (selection: string) => {
      const { id } = await app.given.attachment({ container, author: person });
      const statements = await app.statements(() =>
        done(`mutation { deleteAttachment(input: { id: ${id} }) { ${selection} } }`),
      );
      // Those before can include a look at permissions, whose cache has ended.
      return statements
        .slice(statements.lastIndexOf('COMMIT;'))
        .filter((sql) => sql.startsWith('select'));
    };
    // The removal of the bytes looks whether a copy needs them, and which pictures go with them.
    const removal = [
      expect.stringMatching(/^select .id. from .attachments. where .blob_key. = /),
      expect.stringMatching(/^select .previews.\.\* from .previews. where .blob_key. = /),
    ];
    expect(await readsAfter('deletedAttachmentId')).toEqual(removal);
    expect(await readsAfter('deletedAttachmentId container { id }')).toEqual([
      ...removal,
      expect.stringContaining('work_packages'),
    ]);
  });

  test('a comment: its work package', async () => {
    const workPackage = await app.given.workPackage(project, person);
    const comment = await app.given.comment(workPackage, person);
    await app.given.comment(workPackage, person);
    const query = `mutation ($id: ID!) {
      deleteComment(input: { id: $id }) {
        deletedActivityId
        workPackage { id activities { totalCount } }
      }
    }`;
    expect(await done(query, { id: comment.globalId })).toEqual({
      deleteComment: {
        deletedActivityId: comment.globalId,
        workPackage: { id: workPackage.globalId, activities: { totalCount: 1 } },
      },
    });
  });

  test.each([
    ['WorkPackage', 'workPackages'],
    ['Meeting', 'meetings'],
    ['Post', 'posts'],
    ['WikiPage', 'wikiPages'],
  ] as const)('a %s: its project', async (kind, list) => {
    const own = await app.given.project();
    await app.given.membership(person, own, [
      'view_work_packages',
      'edit_work_packages',
      'view_meetings',
      'edit_meetings',
      'view_messages',
      'edit_messages',
      'view_wiki_pages',
      'edit_wiki_pages',
    ]);
    const gone = await app.given.container(kind, own, person);
    const stays = await app.given.container(kind, own, person);
    const query = `mutation ($id: ID!) {
      delete${kind}(input: { id: $id }) { deleted${kind}Id project { id ${list} { totalCount nodes { id } } } }
    }`;
    expect(await done(query, { id: gone.globalId })).toEqual({
      [`delete${kind}`]: {
        [`deleted${kind}Id`]: gone.globalId,
        project: {
          id: globalId('Project', own.id),
          [list]: { totalCount: 1, nodes: [{ id: stays.globalId }] },
        },
      },
    });
  });

  describe('with a storage', () => {
    const LINK = `mutation ($input: CreateFileLinksInput!) {
      createFileLinks(input: $input) { fileLinks { databaseId } }
    }`;
    const UNLINK = `mutation ($id: ID!) {
      deleteFileLink(input: { id: $id }) {
        deletedFileLinkId
        container { id fileLinks { totalCount } }
      }
    }`;
    const linkTo = async (storage: { id: number }, names: string[], workPackageId?: string) => {
      const fileLinks = names.map((name) => ({
        storageId: String(storage.id),
        originData: { id: String(name.charCodeAt(0)), name },
      }));
      const { createFileLinks } = await done(LINK, { input: { workPackageId, fileLinks } });
      return createFileLinks.fileLinks.map((link: { databaseId: number }) => link.databaseId);
    };

    test('a file link: its work package, or none', async () => {
      const storage = await app.given.storage();
      await app.given.projectStorage(project, storage);
      const workPackage = await app.given.workPackage(project, person);
      const [first] = await linkTo(storage, ['a', 'b'], workPackage.globalId);
      const [unclaimed] = await linkTo(storage, ['c']);
      expect(await done(UNLINK, { id: String(first) })).toEqual({
        deleteFileLink: {
          deletedFileLinkId: globalId('FileLink', first),
          container: { id: workPackage.globalId, fileLinks: { totalCount: 1 } },
        },
      });
      expect(await done(UNLINK, { id: String(unclaimed) })).toEqual({
        deleteFileLink: { deletedFileLinkId: globalId('FileLink', unclaimed), container: null },
      });
    });

    test('a project storage: its project and its storage', async () => {
      const storage = await app.given.storage();
      const own = await app.given.project();
      await app.given.membership(person, own, [
        'view_work_packages',
        'view_file_links',
        'manage_files_in_project',
      ]);
      const { id, globalId: deletedId } = await app.given.projectStorage(own, storage);
      await app.given.projectStorage(project, storage);
      const query = `mutation ($id: ID!) {
        deleteProjectStorage(input: { id: $id }) {
          deletedProjectStorageId
          project { id storages { id } }
          storage { id projectStorages { totalCount } }
        }
      }`;
      expect(await done(query, { id: String(id) })).toEqual({
        deleteProjectStorage: {
          deletedProjectStorageId: deletedId,
          project: { id: globalId('Project', own.id), storages: [] },
          storage: { id: storage.globalId, projectStorages: { totalCount: 1 } },
        },
      });
    });
  });

  test('an API key: its owner', async () => {
    const { id } = await app.given.apiKey(person, 'gone');
    const query = `mutation ($id: ID!) {
      deleteApiKey(input: { id: $id }) { deletedApiKeyId user { id apiKeys { name } } }
    }`;
    expect(await done(query, { id: String(id) })).toEqual({
      deleteApiKey: {
        deletedApiKeyId: globalId('ApiKey', id),
        user: { id: globalId('User', person.id), apiKeys: [{ name: 'test' }] },
      },
    });
  });
});
