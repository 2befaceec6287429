/** Users, their passwords and API keys in the graph. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
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
import { byDefault, idOfOne, mutation } from './mutation.js';

const NAME = [
  String,
  "Name of the key, 1 to 255 characters. It must be unique among the caller's keys.",
] as const;

export const userMutations = [
  mutation('createApiKey', {
    description:
      'Creates an API key for the caller. ' +
      'Errors: MISSING_PERMISSION for anonymous users and for OAuth applications; ' +
      'PROPERTY_CONSTRAINT_VIOLATION if the name is invalid or taken.',
    argument: 'The key.',
    about: 'A new API key.',
    input: { name: NAME },
    payload: {
      apiKey: [ApiKey, 'The new API key, without its value.'],
      key: [String, 'The value of the key. It cannot be read again.'],
    },
    run: ({ name }, context) => createApiKey(context, name),
  }),

  mutation('updateApiKey', {
    description:
      "Renames one of the caller's API keys. The value of the key does not change. " +
      'Errors: NOT_FOUND if the caller has no such key; ' +
      'PROPERTY_CONSTRAINT_VIOLATION if the name is invalid or taken.',
    argument: 'The key and its new name.',
    about: 'The new name of an API key.',
    input: {
      id: idOfOne('API key'),
      name: NAME,
    },
    payload: { apiKey: [ApiKey, 'The renamed API key.'] },
    run: async ({ id, name }, context) => ({
      apiKey: await updateApiKey(context, idOf('ApiKey', id), name),
    }),
  }),

  mutation('deleteApiKey', {
    description:
      "Revokes one of the caller's API keys. Error: NOT_FOUND if the caller has no such key.",
    argument: 'The key.',
    about: 'The API key to revoke.',
    input: { id: idOfOne('API key') },
    payload: {
      deletedApiKeyId: [ID, 'Global id of the revoked key.'],
      user: [User, 'The caller.'],
    },
    run: async ({ id }, context) => {
      const deleted = await deleteApiKey(context, idOf('ApiKey', id));
      return { deletedApiKeyId: globalId('ApiKey', deleted.id), user: context.user };
    },
  }),

  mutation('changePassword', {
    description:
      "Changes the caller's password. API keys and connections with storages stay. " +
      'Errors: MISSING_PERMISSION without a session of a browser, and for a person without ' +
      'password; PROPERTY_CONSTRAINT_VIOLATION on `currentPassword` if it is wrong, or on ' +
      '`newPassword`; TOO_MANY_REQUESTS after too many wrong passwords; UNAUTHENTICATED if the ' +
      'session ends meanwhile; INVALID_QUERY for the third of these in one document.',
    argument: 'The passwords.',
    about: "The caller's passwords.",
    input: {
      currentPassword: [String, 'The password of now.'],
      newPassword: [String, `The new password, ${PASSWORD_RULE}.`],
      endSessions: byDefault(
        true,
        Boolean,
        'Whether everything ends that the caller has opened, except the session of this request: ' +
          'sessions, tokens and grants of applications, and subscriptions.',
      ),
    },
    payload: { user: [User, 'The caller.'] },
    run: async (input, context) => ({ user: await changePassword(context, input) }),
  }),
];

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
