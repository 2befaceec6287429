/** The message for credentials that are not accepted. */
export const REFUSED = 'You did not provide the correct credentials.';
