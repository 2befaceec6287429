/** Changes the avatar of a user as a person wants: another one, or none. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { MAX_AVATAR_BYTES } from '../../../contract/limits.js';
import type { User } from '../../../models/user.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import type { IncomingFile } from '../../../http/incoming-file.js';
import { endDownload } from './directory-avatars.js';
import { NO_PICTURE, putPicture, swapAvatar, type Picture } from './swap-avatar.js';
import { readAvatar } from './validate-avatar.js';

/** @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody, Overloaded */
export const setAvatar = (
  context: Context,
  id: number | undefined,
  file: IncomingFile,
): Promise<User> => context.finishing(store(context, id, file));

async function store(context: Context, id: number | undefined, file: IncomingFile): Promise<User> {
  const user = await permitted(context, id);
  // After the permission check: users without permission use no slot.
  const releaseSlot = context.uploads.acquire(
    context.caller,
    context.blobs.memoryOf(MAX_AVATAR_BYTES),
  );
  context.waits(true);
  try {
    return await replace(context, user, await putPicture(context, await readAvatar(file)));
  } finally {
    releaseSlot();
  }
}

/** @throws NotFound, MissingPermission */
export async function removeAvatar(context: Context, id: number | undefined): Promise<User> {
  return replace(context, await permitted(context, id), NO_PICTURE);
}

const permitted = async (context: Context, id: number | undefined): Promise<User> =>
  demand(await find.user(context, id), (user) => can.changeAvatar(context, user));

const replace = (context: Context, { id }: User, picture: Picture): Promise<User> =>
  swapAvatar(context, id, picture, async (trx: Knex) => {
    await endDownload(trx, id);
    return true;
  });
