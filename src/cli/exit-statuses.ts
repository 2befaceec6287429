/** Exit statuses of the commands. */

/** Exit statuses other than 0. 78 is EX_CONFIG of sysexits.h. 130 means a second Ctrl-C. */
export const EXIT = { failure: 1, usage: 2, configuration: 78, interrupted: 130 };

/** A wrong command line; exit status 2. */
export class UsageError extends Error {}
