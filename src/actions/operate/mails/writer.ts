import type { Context } from '../../../context.js';
import type { Letter } from '../../../mail/letter.js';
import type { Say } from '../../../mail/words/index.js';
import type { Mail } from '../../../models/mail.js';

/**
 * @param context of the person who gets the e-mail
 * @returns what it says; undefined if there is nothing to tell any more
 */
export type Writer = (context: Context, mail: Mail, say: Say) => Promise<Letter | undefined>;
