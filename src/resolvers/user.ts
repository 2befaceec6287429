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
import { createApiKey } from '../actions/api-keys/create-api-key.js';
import { deleteApiKey } from '../actions/api-keys/delete-api-key.js';
import { updateApiKey } from '../actions/api-keys/update-api-key.js';
import { answersOf } from '../actions/storage-access/shared-answers.js';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { globalId, idOf } from '../contract/ids.js';
import { ApiKey } from '../models/api-key.js';
import { User } from '../models/user.js';
import { find } from '../policies/find.js';
import { visible } from '../policies/visible.js';
import { counted } from './paging.js';

@InputType({ description: 'An API key to make.' })
export class CreateApiKeyInput {
  @Field(() => String, { description: "What it is for; unique among the caller's keys." })
  name!: string;
}

@ObjectType({ description: 'Answer of createApiKey.', simpleResolvers: true })
export class CreateApiKeyPayload {
  @Field(() => ApiKey, { description: "The key's record." })
  apiKey!: ApiKey;

  @Field(() => String, { description: 'The key itself. It is shown this once.' })
  key!: string;
}

@InputType({ description: 'Another name for an API key.' })
export class UpdateApiKeyInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;

  @Field(() => String, { description: "What it is for; unique among the caller's keys." })
  name!: string;
}

@ObjectType({ description: 'Answer of updateApiKey.', simpleResolvers: true })
export class UpdateApiKeyPayload {
  @Field(() => ApiKey, { description: "The key's record." })
  apiKey!: ApiKey;
}

@InputType({ description: 'The API key to revoke.' })
export class DeleteApiKeyInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;
}

@ObjectType({ description: 'Answer of deleteApiKey.', simpleResolvers: true })
export class DeleteApiKeyPayload {
  @Field(() => ID, { description: 'Global id of the key that is gone.' })
  deletedApiKeyId!: string;
}

@Resolver(() => User)
export class UserResolver {
  @Query(() => User, {
    description: 'Who is asking; the anonymous visitor when nothing was presented.',
  })
  viewer(@Ctx() { user }: Context): User {
    return user;
  }

  @Query(() => User, { description: 'One user. NOT_FOUND where it is missing or not visible.' })
  async user(
    @Arg('id', () => ID, { description: 'The id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<User> {
    const user = await find.user(context, idOf('User', id));
    if (!user) throw new NotFound();
    return user;
  }

  @Mutation(() => CreateApiKeyPayload, { description: 'Makes an API key for the caller.' })
  createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key.' }) { name }: CreateApiKeyInput,
    @Ctx() context: Context,
  ): Promise<CreateApiKeyPayload> {
    return createApiKey(context, name);
  }

  @Mutation(() => UpdateApiKeyPayload, {
    description: "Gives one of the caller's API keys another name. The key itself stays as it is.",
  })
  async updateApiKey(
    @Arg('input', () => UpdateApiKeyInput, { description: 'Which, and its name.' })
    { id, name }: UpdateApiKeyInput,
    @Ctx() context: Context,
  ): Promise<UpdateApiKeyPayload> {
    return { apiKey: await updateApiKey(context, idOf('ApiKey', id), name) };
  }

  @Mutation(() => DeleteApiKeyPayload, { description: "Revokes one of the caller's API keys." })
  async deleteApiKey(
    @Arg('input', () => DeleteApiKeyInput, { description: 'The key.' }) { id }: DeleteApiKeyInput,
    @Ctx() context: Context,
  ): Promise<DeleteApiKeyPayload> {
    const deleted = await deleteApiKey(context, idOf('ApiKey', id));
    return { deletedApiKeyId: globalId('ApiKey', deleted.id) };
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'E-mail address; shown to the user and to administrators only.',
  })
  email(@Root() user: User, @Ctx() { user: viewer }: Context): string | null {
    return viewer.admin || (viewer.id === user.id && !viewer.anonymous) ? user.email : null;
  }

  @FieldResolver(() => [ApiKey], { description: "The user's API keys; empty for everybody else." })
  async apiKeys(@Root() user: User, @Ctx() context: Context): Promise<ApiKey[]> {
    const { user: viewer, db } = context;
    return viewer.id === user.id
      ? counted(
          context,
          () =>
            context
              .once(answersOf)
              .share(['apiKeys'], async () => visible.apiKeys(viewer, db.read).orderBy('id')),
          (keys) => keys.length,
        )
      : [];
  }
}
