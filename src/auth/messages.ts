/** What is told of credentials that are not accepted. */
export const REFUSED = 'You did not provide the correct credentials.';
