/** The time that a person has to sign in at another server. */
export const ATTEMPT_SECONDS = 600;
