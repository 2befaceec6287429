/** Users, their passwords and API keys in the graph. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { createApiKey } from '../actions/people/api-keys/create-api-key.js';
import { deleteApiKey } from '../actions/people/api-keys/delete-api-key.js';
import { updateApiKey } from '../actions/people/api-keys/update-api-key.js';
import { changePassword } from '../actions/people/directory/change-password.js';
import { PASSWORD_RULE } from '../actions/people/directory/password-rules.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { ApiKey, ApiKeyAccess } from '../models/api-key.js';
import { DateTime } from '../models/date-time.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { visible } from '../policies/visible.js';
import { found } from './found.js';
import { counted } from './counted.js';
import { askOnce } from './shared-requests.js';
import { byDefault, idOfOne, mutation, optional } from './mutation.js';

const NAME = [
  String,
  "Name of the key, 1 to 255 characters. It must be unique among the caller's keys.",
] as const;

export const userMutations = [
  mutation('createApiKey', {
    description:
      'Creates an API key for the caller. ' +
      'Errors: MISSING_PERMISSION for anonymous users and for OAuth applications; ' +
      'PROPERTY_CONSTRAINT_VIOLATION if the name is invalid or taken, or if the end is not allowed.',
    argument: 'The key.',
    about: 'A new API key.',
    input: {
      name: NAME,
      access: byDefault(ApiKeyAccess.FULL, ApiKeyAccess, 'What the key may do.'),
      expiresAt: optional(
        DateTime,
        'When the key ends, at least a minute ahead. Null: no end, which `API_KEY_MAX_DAYS` can forbid. ' +
          'Default: `API_KEY_DAYS` from now on, or no end.',
      ),
    },
    payload: {
      apiKey: [ApiKey, 'The new API key, without its value.'],
      key: [String, 'The value of the key. It cannot be read again.'],
    },
    run: (input, context) => createApiKey(context, input),
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
      "Revokes one of the caller's API keys, or anybody's for administrators. " +
      'Error: NOT_FOUND if the caller sees no such key.',
    argument: 'The key.',
    about: 'The API key to revoke.',
    input: { id: idOfOne('API key') },
    payload: {
      deletedApiKeyId: [ID, 'Global id of the revoked key.'],
      user: [User, 'Whose key it was.'],
    },
    run: async ({ id }, context) => {
      const { apiKey, owner } = await deleteApiKey(context, idOf('ApiKey', id));
      return { deletedApiKeyId: globalId('ApiKey', apiKey.id), user: owner };
    },
  }),

  mutation('changePassword', {
    description:
      "Changes the caller's password. API keys and connections with storages stay. Links to set " +
      'a password end. Errors: MISSING_PERMISSION for anonymous callers, and for a person without ' +
      'password; PROPERTY_CONSTRAINT_VIOLATION on `currentPassword` if it is wrong, or on ' +
      '`newPassword`; TOO_MANY_REQUESTS after too many wrong passwords; UNAUTHENTICATED if the ' +
      'session or the API key ends meanwhile; INVALID_QUERY for the third of these in one document.',
    argument: 'The passwords.',
    about: "The caller's passwords.",
    input: {
      currentPassword: [String, 'The password of now.'],
      newPassword: [String, `The new password, ${PASSWORD_RULE}.`],
      endSessions: byDefault(
        true,
        Boolean,
        'Whether everything ends that the caller has opened, except the session of this request: ' +
          'all other sessions, tokens and grants of applications, and subscriptions.',
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
      'their own, if they have one, with a session or an API key for everything.',
  })
  viewerCanChangePassword(@Root() user: User, @Ctx() context: Context): boolean {
    return can.changePassword(context, user);
  }

  @FieldResolver(() => String, { nullable: true })
  email(@Root() user: User, @Ctx() { user: viewer }: Context): string | null {
    return viewer.admin || (viewer.id === user.id && !viewer.anonymous) ? user.email : null;
  }

  @FieldResolver(() => [ApiKey], {
    description:
      "The user's API keys. Administrators see those of everybody, others only their own.",
  })
  async apiKeys(@Root() user: User, @Ctx() context: Context): Promise<ApiKey[]> {
    const { user: viewer, db } = context;
    const read = () =>
      askOnce(context, ['apiKeys', user.id], async () =>
        visible.apiKeys(viewer, db.read).where('user_id', user.id).orderBy('id'),
      );
    return viewer.id === user.id || can.administer(context)
      ? counted(context, read, (keys) => keys.length)
      : [];
  }
}
