/** What acts in the name of people, in the graph: sessions, applications, connections with storages. */
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { endAuthorization } from '../actions/people/access/end-authorization.js';
import { endConnection } from '../actions/people/access/end-connection.js';
import { endSession, endSessionsOf } from '../actions/people/access/end-session.js';
import { userFor } from '../actions/people/administration/people.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { listOf } from '../lists/by-creation.js';
import { Authorization } from '../models/authorization.js';
import { AuthorizationConnection, SessionConnection } from '../models/relay-connection.js';
import { Session } from '../models/session.js';
import { User } from '../models/user.js';
import { demandAccessOf, demandAdmin } from '../policies/can.js';
import { visibleAuthorizations, visibleSessions } from '../policies/own-access.js';
import { connection } from './connections.js';
import { creationOrderArgs, directionOf, type CreationOrderArgs } from './list-arguments.js';
import { idOfOne, mutation } from './mutation.js';
import { ADMINS } from './schema-phrases.js';

const SortedSessions = creationOrderArgs('SessionOrder', { list: 'sessions', usual: 'idDesc' });
const SortedAuthorizations = creationOrderArgs('AuthorizationOrder', {
  list: 'applications that act for a person',
  usual: 'idDesc',
});

const OWN_OR_ADMINS =
  "Error: MISSING_PERMISSION for another user's, unless the caller is an administrator, and for " +
  'access tokens and limited API keys.';
const whose = [User, 'Whose it was.'] as const;
const seesNone = (what: string) => `Error: NOT_FOUND if the caller sees no such ${what}.`;

export const accessMutations = [
  mutation('endSession', {
    description:
      "Ends one of the caller's sessions, also that of this request, or anybody's for " +
      `administrators. ${seesNone('session')}`,
    argument: 'The session.',
    about: 'The session to end.',
    input: { id: idOfOne('session') },
    payload: { endedSessionId: [ID, 'Global id of the session that ended.'], user: whose },
    run: async ({ id }, context) => {
      const session = await endSession(context, idOf('Session', id));
      return {
        endedSessionId: globalId('Session', session.id),
        user: await context.loaders.users.load(session.userId),
      };
    },
  }),

  mutation('endSessionsOf', {
    description:
      'Ends all sessions of a person. API keys, applications and connections stay. ' +
      `Errors: ${ADMINS}; NOT_FOUND if there is no such person.`,
    argument: 'The person.',
    about: 'The person whose sessions end.',
    input: { userId: idOfOne('person') },
    payload: { user: [User, 'The person.'] },
    run: async ({ userId }, context) => ({
      user: await endSessionsOf(context, idOf('User', userId)),
    }),
  }),

  mutation('endAuthorization', {
    description:
      'Ends what an application may do for the caller, or for anybody if the caller is an ' +
      'administrator: its tokens stop working. The application can ask again. ' +
      seesNone('authorization'),
    argument: 'The authorization.',
    about: 'The authorization to end.',
    input: { id: idOfOne('authorization') },
    payload: {
      endedAuthorizationId: [ID, 'Global id of the authorization that ended.'],
      user: whose,
    },
    run: async ({ id }, context) => {
      const ended = await endAuthorization(context, idOf('Authorization', id));
      return {
        endedAuthorizationId: globalId('Authorization', ended.id),
        user: await context.loaders.users.load(ended.userId),
      };
    },
  }),

  mutation('endConnection', {
    description:
      "Ends one of the caller's connections with storages, or anybody's for administrators: this " +
      `service deletes its tokens. The storage can still list this service. ${seesNone('connection')}`,
    argument: 'The connection.',
    about: 'The connection to end.',
    input: { id: idOfOne('connection') },
    payload: {
      endedConnectionId: [ID, 'Global id of the connection that ended.'],
      user: whose,
    },
    run: async ({ id }, context) => {
      const account = await endConnection(context, idOf('StorageAccount', id));
      return {
        endedConnectionId: globalId('StorageAccount', account.id),
        user: await context.loaders.users.load(account.userId),
      };
    },
  }),
];

@Resolver(() => Session)
export class SessionResolver {
  @Query(() => SessionConnection, {
    description:
      'Returns the sessions of everybody, or of one person, for administrators. ' +
      `Errors: ${ADMINS}; NOT_FOUND if there is no such person.`,
  })
  async usersSessions(
    @Arg('userId', () => ID, {
      nullable: true,
      description: 'Only of this person: a global id or an integer id.',
    })
    id: string | null | undefined,
    @Args(() => SortedSessions) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    demandAdmin(context);
    if (typeof id === 'string')
      return sessionsOf(context, await userFor(context, idOf('User', id)), args);
    return connection(
      context,
      args,
      listOf(() => visibleSessions(context), directionOf(args)),
    );
  }

  @FieldResolver(() => Boolean, { description: 'Whether this request uses the session.' })
  current(@Root() { id }: Session, @Ctx() { user }: Context): boolean {
    return user.sessionId === id;
  }

  @FieldResolver(() => User, { description: 'Who is signed in.' })
  user(@Root() { userId }: Session, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(userId);
  }
}

@Resolver(() => Authorization)
export class AuthorizationResolver {
  @FieldResolver(() => User, { description: 'For whom the application acts.' })
  user(@Root() { userId }: Authorization, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(userId);
  }
}

@Resolver(() => User)
export class UserAccessResolver {
  @FieldResolver(() => SessionConnection, {
    description: `The browsers in which the user is signed in. ${OWN_OR_ADMINS}`,
  })
  sessions(
    @Root() user: User,
    @Args(() => SortedSessions) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    return sessionsOf(context, user, args);
  }

  @FieldResolver(() => AuthorizationConnection, {
    description: `The OAuth applications that act for the user. ${OWN_OR_ADMINS}`,
  })
  authorizations(
    @Root() user: User,
    @Args(() => SortedAuthorizations) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    demandAccessOf(context, user);
    const rows = () => visibleAuthorizations(context).where('oauth_artifacts.user_id', user.id);
    return connection(context, args, listOf(rows, directionOf(args)));
  }
}

function sessionsOf(context: Context, user: User, args: CreationOrderArgs) {
  demandAccessOf(context, user);
  const rows = () => visibleSessions(context).where('sessions.user_id', user.id);
  return connection(context, args, listOf(rows, directionOf(args)));
}
