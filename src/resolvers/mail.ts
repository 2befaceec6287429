/** What the caller wants by e-mail. */
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { setMailPreference } from '../actions/people/mails/mail-preference.js';
import type { Context } from '../context.js';
import { MailPreference } from '../models/mail.js';
import { User } from '../models/user.js';
import { mutation } from './mutation.js';

export const mailMutations = [
  mutation('setMailPreference', {
    description:
      'Chooses when notifications of the caller come by e-mail. Invitations, links to set a ' +
      'password, and what administrators are told come in any case. ' +
      'Error: MISSING_PERMISSION for anonymous callers.',
    argument: 'The choice.',
    about: 'What the caller wants by e-mail.',
    input: { preference: [MailPreference, 'When notifications come.'] },
    payload: { user: [User, 'The caller.'] },
    run: async ({ preference }, context) => ({
      user: await setMailPreference(context, preference),
    }),
  }),
];

@Resolver(() => User)
export class UserMailResolver {
  @FieldResolver(() => MailPreference, {
    nullable: true,
    description:
      'When notifications come by e-mail. Only the user can read it; null for others, and if ' +
      'this service sends no e-mails.',
  })
  mailPreference(
    @Root() user: User,
    @Ctx() { user: viewer, mailer }: Context,
  ): `${MailPreference}` | null {
    const isOwn = user.id === viewer.id && !viewer.anonymous;
    return mailer && isOwn ? user.mailPreference : null;
  }
}
