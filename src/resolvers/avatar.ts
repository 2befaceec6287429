/** Pictures of users in the graph. */
import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { temporaryAddress } from '../actions/files/attachments/temporary-address.js';
import { pictureOf } from '../actions/files/avatars/open-avatar.js';
import { removeAvatar, setAvatar } from '../actions/files/avatars/replace-avatar.js';
import { addressOf, readyPicture, thumbnailOf } from '../actions/files/previews/read-previews.js';
import type { Context } from '../context.js';
import { fieldWeights } from '../contract/field-weights.js';
import { idOf } from '../contract/ids.js';
import { MAX_AVATAR_BYTES, MAX_AVATAR_PIXELS } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { Thumbnail, ThumbnailSize } from '../models/preview.js';
import { TemporaryAddress } from '../models/temporary-address.js';
import { User } from '../models/user.js';
import { UploadScalar } from './upload-scalar.js';
import { idOfOne, mutation } from './mutation.js';

export const avatarMutations = [
  mutation('setAvatar', {
    description:
      'Sets the picture of a user: the caller, or any user for administrators. ' +
      'Errors: NOT_FOUND if the user is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for another type, and for a file that is too large; ' +
      'SERVICE_UNAVAILABLE if too many uploads run at the same time.',
    argument: 'The user and the picture.',
    about: 'A new picture of a user.',
    input: {
      userId: idOfOne('user'),
      file: [
        UploadScalar,
        `A PNG or JPEG image of at most ${withCommas(MAX_AVATAR_BYTES)} bytes and ` +
          `${withCommas(MAX_AVATAR_PIXELS)} by ${withCommas(MAX_AVATAR_PIXELS)} pixels, ` +
          'as a part of the multipart request.',
      ],
    },
    payload: { user: [User, 'The user.'] },
    run: async ({ userId, file }, context) => ({
      user: await setAvatar(context, idOf('User', userId), file),
    }),
  }),

  mutation('removeAvatar', {
    description:
      'Removes the picture of a user: of the caller, or of any user for administrators. ' +
      'Without a picture it changes nothing. ' +
      'Errors: NOT_FOUND if the user is missing or not visible; MISSING_PERMISSION.',
    argument: 'The user.',
    about: 'The user whose picture is removed.',
    input: { userId: idOfOne('user') },
    payload: { user: [User, 'The user.'] },
    run: async ({ userId }, context) => ({
      user: await removeAvatar(context, idOf('User', userId)),
    }),
  }),
];

@Resolver(() => User)
export class AvatarResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'URL of the picture at this service, for everybody who sees the user. ' +
      'Null if there is none.',
  })
  avatarUrl(@Root() { id, avatarKey }: User, @Ctx() { base }: Context): string | null {
    return avatarKey === null ? null : `${base.url}/api/v3/users/${id}/avatar`;
  }

  @FieldResolver(() => Thumbnail, {
    nullable: true,
    description:
      'The picture in a small size, for everybody who sees the user. ' +
      'Null without a picture, and as long as the small one is not made: show `avatarUrl` then.',
  })
  async avatarThumbnail(
    @Root() user: User,
    @Arg('size', () => ThumbnailSize, { description: 'Its longest side.' }) size: ThumbnailSize,
    @Ctx() context: Context,
  ): Promise<Thumbnail | null> {
    const row = await readyPicture(context, user);
    const object = row && thumbnailOf(row, size);
    // Cast: a picture has a size.
    return object ? ({ ...object, href: addressOf(context, user, object) } as Thumbnail) : null;
  }

  @FieldResolver(() => TemporaryAddress, {
    nullable: true,
    complexity: fieldWeights.signed,
    description:
      'An address of the picture for pages of other origins, which send no credentials with ' +
      'pictures. It gives the permissions that the caller has then. Null if there is none.',
  })
  avatarAddress(@Root() { id, avatarKey }: User, @Ctx() context: Context): TemporaryAddress | null {
    return avatarKey === null
      ? null
      : temporaryAddress(context, `/users/${id}/avatar`, pictureOf(id), {});
  }
}
