/** The records of the server that is searched. */
import { FileLink } from '../../../src/models/file-link.js';
import { permissions } from '../../../src/policies/permissions.js';
import type { Services } from '../../../src/context.js';
import { fillLists } from './many-rows.js';
import { factories, type StorageHandle } from '../../support/factories.js';

export interface Ids {
  key: string;
  project: number;
  workPackage: number;
  /** Its comments have 15 MiB. */
  longWorkPackage: number;
  comment: number;
  /** Comments whose text the search changes. */
  comments: number[];
  attachment: number;
  /** A comment and its 1,000 attachments. */
  fullComment: number;
  listedAttachments: number[];
  /** An attachment of 8 MiB. */
  largeAttachment: number;
  fileLink: number;
  fileServer: number;
  drive: number;
  /** A project with 9,000 of the 30,000 further work packages. */
  smallProject: number;
  /** The first of the further work packages. The person has a notification about each. */
  manyWorkPackages: number;
  /** The person is notified of files that the owner of this key adds to the work package `watched`. */
  otherKey: string;
  watched: number;
}

export const ATTACHMENTS = 1_500;
const LISTED_ATTACHMENTS = 1_000;
const COMMENTS = 200;
const LONG_COMMENTS = 260;
const LINKS = 300;
const LARGE = 8 * 1024 * 1024;

/** @param storageUrl address of a storage that answers what the search wants */
export async function fill(services: Services, storageUrl: string): Promise<Ids> {
  const given = factories(services);
  const project = await given.project();
  const person = await given.user({ admin: false });
  await given.membership(person, project, [...permissions]);
  const workPackage = await given.workPackage(project, person);
  const attachments = [];
  for (let count = 0; count < ATTACHMENTS; count += 1)
    attachments.push(
      await given.attachment({
        container: workPackage,
        author: person,
        blob: count === 0,
        description: 'A *description* with `code`',
      }),
    );
  const large = await given.attachment({
    container: workPackage,
    author: person,
    content: Buffer.alloc(LARGE),
  });
  const comments = [];
  for (let count = 0; count < COMMENTS; count += 1)
    comments.push(
      await given.comment(workPackage, person, { text: `- a *list*\n- [link](https://x.test)\n` }),
    );
  const fullComment = await given.comment(await given.workPackage(project, person), person);
  const listed = [];
  for (let count = 0; count < LISTED_ATTACHMENTS; count += 1)
    listed.push(await given.attachment({ container: fullComment, author: person, blob: false }));
  const longWorkPackage = await given.workPackage(project, person);
  for (let count = 0; count < LONG_COMMENTS; count += 1)
    await given.comment(longWorkPackage, person, { text: 'x'.repeat(60_000) });
  const client = { id: 'client', secret: 'secret' };
  const fileServer = await given.storage({ origin: storageUrl, client });
  const drive = await given.storage({
    type: 'CloudDrive',
    tenantId: 'consumers',
    driveId: 'b!drive',
    client,
  });
  const connect = async (storage: StorageHandle) => {
    await given.projectStorage(project, storage, { creator: person });
    await given.storageTokens(person, storage, { accessToken: 'token', originUserId: 'somebody' });
  };
  await connect(fileServer);
  await connect(drive);
  // The person has no access to this one.
  const closed = await given.storage({ origin: `${storageUrl}/closed`, client });
  await given.projectStorage(project, closed, { creator: person });
  const other = await given.member(project, [...permissions]);
  const watched = await given.workPackage(project, person);
  const now = new Date().toISOString();
  const links = [];
  for (let count = 0; count < LINKS; count += 1)
    links.push(
      await FileLink.query(services.db.write)
        .insert({
          storageId: count % 2 === 0 ? fileServer.id : closed.id,
          workPackageId: workPackage.id,
          creatorId: person.id,
          originId: String(count + 1),
          originName: `file-${count}.txt`,
          createdAt: now,
          updatedAt: now,
        })
        .returning('id'),
    );
  return {
    key: person.key,
    project: project.id,
    workPackage: workPackage.id,
    longWorkPackage: longWorkPackage.id,
    comment: comments[0]!.id,
    comments: comments.slice(-5).map(({ id }) => id),
    attachment: attachments[0]!.id,
    fullComment: fullComment.id,
    listedAttachments: listed.map(({ id }) => id),
    largeAttachment: large.id,
    fileLink: links[0]!.id,
    fileServer: fileServer.id,
    drive: drive.id,
    ...(await fillLists(services, person, project, fileServer)),
    otherKey: other.key,
    watched: watched.id,
  };
}
