/** Pictures of users in the graph. */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { removeAvatar, setAvatar } from '../actions/files/avatars/replace-avatar.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { MAX_AVATAR_BYTES, MAX_AVATAR_PIXELS } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { IncomingFile } from '../http/incoming-file.js';
import { User } from '../models/user.js';
import { UploadScalar } from './upload-scalar.js';

@InputType({ description: 'A new picture of a user.' })
export class SetAvatarInput {
  @Field(() => ID, { description: 'Global id or integer id of the user.' })
  userId!: string;

  @Field(() => UploadScalar, {
    description:
      `A PNG or JPEG image of at most ${withCommas(MAX_AVATAR_BYTES)} bytes and ` +
      `${withCommas(MAX_AVATAR_PIXELS)} by ${withCommas(MAX_AVATAR_PIXELS)} pixels, ` +
      'as a part of the multipart request.',
  })
  file!: IncomingFile;
}

@InputType({ description: 'The user whose picture is removed.' })
export class RemoveAvatarInput {
  @Field(() => ID, { description: 'Global id or integer id of the user.' })
  userId!: string;
}

@ObjectType({ description: 'The result of `setAvatar`.', simpleResolvers: true })
export class SetAvatarPayload {
  @Field(() => User, { description: 'The user.' })
  user!: User;
}

@ObjectType({ description: 'The result of `removeAvatar`.', simpleResolvers: true })
export class RemoveAvatarPayload {
  @Field(() => User, { description: 'The user.' })
  user!: User;
}

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

  @Mutation(() => SetAvatarPayload, {
    description:
      'Sets the picture of a user: the caller, or any user for administrators. ' +
      'Errors: NOT_FOUND if the user is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for another type, and for a file that is too large; ' +
      'SERVICE_UNAVAILABLE if too many uploads run at the same time.',
  })
  async setAvatar(
    @Arg('input', () => SetAvatarInput, { description: 'The user and the picture.' })
    { userId, file }: SetAvatarInput,
    @Ctx() context: Context,
  ): Promise<SetAvatarPayload> {
    return { user: await setAvatar(context, idOf('User', userId), file) };
  }

  @Mutation(() => RemoveAvatarPayload, {
    description:
      'Removes the picture of a user: of the caller, or of any user for administrators. ' +
      'Without a picture it changes nothing. ' +
      'Errors: NOT_FOUND if the user is missing or not visible; MISSING_PERMISSION.',
  })
  async removeAvatar(
    @Arg('input', () => RemoveAvatarInput, { description: 'The user.' })
    { userId }: RemoveAvatarInput,
    @Ctx() context: Context,
  ): Promise<RemoveAvatarPayload> {
    return { user: await removeAvatar(context, idOf('User', userId)) };
  }
}
