/** The message for credentials that are not accepted. */
export const WRONG_CREDENTIALS = 'You did not provide the correct credentials.';
