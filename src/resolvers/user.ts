/** Users, their passwords and API keys in the graph. */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { createApiKey } from '../actions/people/api-keys/create-api-key.js';
import { deleteApiKey } from '../actions/people/api-keys/delete-api-key.js';
import { updateApiKey } from '../actions/people/api-keys/update-api-key.js';
import { changePassword } from '../actions/people/directory/change-password.js';
import { PASSWORD_RULE } from '../actions/people/directory/password-rules.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { ApiKey } from '../models/api-key.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { visible } from '../policies/visible.js';
import { found } from './found.js';
import { counted } from './counted.js';
import { askOnce } from './shared-requests.js';

@InputType({ description: 'A new API key.' })
export class CreateApiKeyInput {
  @Field(() => String, {
    description: "Name of the key, 1 to 255 characters. It must be unique among the caller's keys.",
  })
  name!: string;
}

@ObjectType({ description: 'The result of `createApiKey`.', simpleResolvers: true })
export class CreateApiKeyPayload {
  @Field(() => ApiKey, { description: 'The new API key, without its value.' })
  apiKey!: ApiKey;

  @Field(() => String, { description: 'The value of the key. It cannot be read again.' })
  key!: string;
}

@InputType({ description: 'The new name of an API key.' })
export class UpdateApiKeyInput {
  @Field(() => ID, { description: 'Global id or integer id of the API key.' })
  id!: string;

  @Field(() => String, {
    description: "Name of the key, 1 to 255 characters. It must be unique among the caller's keys.",
  })
  name!: string;
}

@ObjectType({ description: 'The result of `updateApiKey`.', simpleResolvers: true })
export class UpdateApiKeyPayload {
  @Field(() => ApiKey, { description: 'The renamed API key.' })
  apiKey!: ApiKey;
}

@InputType({ description: 'The API key to revoke.' })
export class DeleteApiKeyInput {
  @Field(() => ID, { description: 'Global id or integer id of the API key.' })
  id!: string;
}

@ObjectType({ description: 'The result of `deleteApiKey`.', simpleResolvers: true })
export class DeleteApiKeyPayload {
  @Field(() => ID, { description: 'Global id of the revoked key.' })
  deletedApiKeyId!: string;
}

@InputType({ description: "The caller's passwords." })
export class ChangePasswordInput {
  @Field(() => String, { description: 'The password of now.' })
  currentPassword!: string;

  @Field(() => String, { description: `The new password, ${PASSWORD_RULE}.` })
  newPassword!: string;

  @Field(() => Boolean, {
    defaultValue: true,
    description:
      'Whether everything ends that the caller has opened, except the session of this request: ' +
      'sessions, tokens and grants of applications, and subscriptions.',
  })
  endSessions!: boolean;
}

@ObjectType({ description: 'The result of `changePassword`.', simpleResolvers: true })
export class ChangePasswordPayload {
  @Field(() => User, { description: 'The caller.' })
  user!: User;
}

@Resolver(() => User)
export class UserResolver {
  @Query(() => User, {
    description: 'Returns the caller. Without credentials, this is the anonymous user.',
  })
  viewer(@Ctx() { user }: Context): User {
    return user;
  }

  @Query(() => User, {
    nullable: true,
    description:
      'Returns one user. Signed-in callers see all users; anonymous callers see only users of ' +
      'public projects. Null with the error NOT_FOUND if the user is missing or not visible.',
  })
  user(
    @Arg('id', () => ID, { description: 'Global id or integer id of the user.' }) id: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return found(find.user(context, idOf('User', id)));
  }

  @Mutation(() => CreateApiKeyPayload, {
    description:
      'Creates an API key for the caller. ' +
      'Errors: MISSING_PERMISSION for anonymous users and for OAuth applications; ' +
      'PROPERTY_CONSTRAINT_VIOLATION if the name is invalid or taken.',
  })
  createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key.' }) { name }: CreateApiKeyInput,
    @Ctx() context: Context,
  ): Promise<CreateApiKeyPayload> {
    return createApiKey(context, name);
  }

  @Mutation(() => UpdateApiKeyPayload, {
    description:
      "Renames one of the caller's API keys. The value of the key does not change. " +
      'Errors: NOT_FOUND if the caller has no such key; ' +
      'PROPERTY_CONSTRAINT_VIOLATION if the name is invalid or taken.',
  })
  async updateApiKey(
    @Arg('input', () => UpdateApiKeyInput, { description: 'The key and its new name.' })
    { id, name }: UpdateApiKeyInput,
    @Ctx() context: Context,
  ): Promise<UpdateApiKeyPayload> {
    return { apiKey: await updateApiKey(context, idOf('ApiKey', id), name) };
  }

  @Mutation(() => DeleteApiKeyPayload, {
    description:
      "Revokes one of the caller's API keys. Error: NOT_FOUND if the caller has no such key.",
  })
  async deleteApiKey(
    @Arg('input', () => DeleteApiKeyInput, { description: 'The key.' }) { id }: DeleteApiKeyInput,
    @Ctx() context: Context,
  ): Promise<DeleteApiKeyPayload> {
    const deleted = await deleteApiKey(context, idOf('ApiKey', id));
    return { deletedApiKeyId: globalId('ApiKey', deleted.id) };
  }

  @Mutation(() => ChangePasswordPayload, {
    description:
      "Changes the caller's password. API keys and connections with storages stay. " +
      'Errors: MISSING_PERMISSION without a session of a browser, and for a person without ' +
      'password; PROPERTY_CONSTRAINT_VIOLATION on `currentPassword` if it is wrong, or on ' +
      '`newPassword`; TOO_MANY_REQUESTS after too many wrong passwords; UNAUTHENTICATED if the ' +
      'session ends meanwhile; INVALID_QUERY for the third of these in one document.',
  })
  async changePassword(
    @Arg('input', () => ChangePasswordInput, { description: 'The passwords.' })
    input: ChangePasswordInput,
    @Ctx() context: Context,
  ): Promise<ChangePasswordPayload> {
    return { user: await changePassword(context, input) };
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the caller can change the password of the user with `changePassword`: ' +
      'their own, if they have one, in a browser that is signed in.',
  })
  viewerCanChangePassword(@Root() user: User, @Ctx() context: Context): boolean {
    return can.changePassword(context, user);
  }

  @FieldResolver(() => String, { nullable: true })
  email(@Root() user: User, @Ctx() { user: viewer }: Context): string | null {
    return viewer.admin || (viewer.id === user.id && !viewer.anonymous) ? user.email : null;
  }

  @FieldResolver(() => [ApiKey], {
    description: 'The API keys of the caller. Empty for all other users.',
  })
  async apiKeys(@Root() user: User, @Ctx() context: Context): Promise<ApiKey[]> {
    const { user: viewer, db } = context;
    const read = () =>
      askOnce(context, ['apiKeys'], async () => visible.apiKeys(viewer, db.read).orderBy('id'));
    return viewer.id === user.id ? counted(context, read, (keys) => keys.length) : [];
  }
}
