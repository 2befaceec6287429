/** Lets the people of the demo upload, comment and link, each on a day of its own. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import mime from 'mime-types';
import { makeContext, type Context, type Services } from '../../../context.js';
import {
  containerKinds,
  namedContainers,
  type NamedContainer,
} from '../../../contract/container-kinds.js';
import { IncomingFile } from '../../../http/incoming-file.js';
import { Activity } from '../../../models/activity.js';
import { Storage } from '../../../models/storage.js';
import { User } from '../../../models/user.js';
import { writeComment } from '../../containers/changes/write-comment.js';
import { createAttachment } from '../../files/attachments/create-attachment.js';
import type { ImportedIds } from '../../people/directory/job.js';
import { createFileLinks } from '../../storages/links/create-file-links.js';
import type { DemoServers } from './demo-storages.js';
import { demoFile, type DemoStorage, type Step, type World } from './world.js';

export const DAY_MS = 86_400_000;

/** Repeats nothing that is there. */
export async function tellStory(
  services: Services,
  world: World,
  ids: ImportedIds,
  servers: DemoServers | undefined,
): Promise<void> {
  const users = await User.query(services.db.read).whereIn('login', Object.keys(ids.users));
  for (const step of world.story) {
    const user = users.find(({ login }) => login === step.by);
    if (!user) throw new Error(`The demo has nobody with the login ${step.by}.`);
    const clock = () => new Date(Date.now() - step.daysAgo * DAY_MS);
    const context = makeContext({ ...services, clock }, user);
    if ('file' in step) await upload(context, step, containerOf(ids, step.to));
    else if ('comment' in step) await comment(context, step, containerOf(ids, step.on));
    else if (servers?.[step.storage])
      await link(context, world.storages[step.storage], step.link, containerOf(ids, step.on));
  }
}

interface Place {
  type: NamedContainer;
  id: number;
}

function containerOf(ids: ImportedIds, ref: string): Place {
  for (const type of namedContainers) {
    const id = ids[containerKinds[type].importList][ref];
    if (id !== undefined) return { type, id };
  }
  throw new Error(`The demo has no container ${ref}.`);
}

async function upload(
  context: Context,
  { file, name }: { file: string; name: string },
  container?: Place,
): Promise<number> {
  const { id } = await createAttachment(context, {
    ...(container && { container }),
    file: new IncomingFile(() => createReadStream(demoFile(file))),
    details: { fileName: name },
    uploadKey: `demo-${file}`,
  });
  return id;
}

async function comment(
  context: Context,
  { comment: text, files = [] }: Extract<Step, { comment: string }>,
  { id }: Place,
): Promise<void> {
  const written = { work_package_id: id, author_id: context.user.id, comment_text: text };
  if (await Activity.query(context.db.read).findOne(written)) return;
  const attachments = [];
  for (const file of files) attachments.push(await upload(context, file));
  await writeComment(context, id, { comment: text, attachments });
}

async function link(
  context: Context,
  { name, files, gone }: DemoStorage,
  ids: readonly (string | number)[],
  { id }: Place,
): Promise<void> {
  const storage = await Storage.query(context.db.read).findOne({ name });
  const elements = ids.map(async (originId) => {
    const file = files.find((one) => one.id === originId);
    const origin = file
      ? {
          name: file.linkedAs ?? posix.basename(file.path),
          mimeType: mime.lookup(file.path) || null,
          size: (await stat(demoFile(file.file))).size,
        }
      : gone.find((one) => one.id === originId)!;
    return { storageId: storage?.id, originData: { ...origin, id: String(originId) } };
  });
  await createFileLinks(context, id, await Promise.all(elements));
}
