/** What a new password must be, in a directory file and for its owner. */
import { MAX_PASSWORD } from '../../../contract/limits.js';
import { isLonger } from '../../../contract/text-rules.js';
import { withCommas } from '../../../contract/words.js';

export const isPassword = (text: string): boolean => text !== '' && !isLonger(text, MAX_PASSWORD);

/** In words, after "must have". */
export const PASSWORD_RULE = `1 to ${withCommas(MAX_PASSWORD)} characters`;
