/** Limits of requests that several layers state. */

/** File links that one request creates. */
export const MAX_NEW_FILE_LINKS = 20;

/** Limits of characters, counted as Unicode code points. */
export const MAX_FILE_NAME = 255;
export const MAX_DESCRIPTION = 255;
/** Longer comments are refused. Longer Markdown would be shown as it was entered. */
export const MAX_COMMENT = 65_536;
/** Description of a work package. */
export const MAX_WORK_PACKAGE_DESCRIPTION = 65_536;
/** Columns by which one list is sorted. Each makes its query slower. */
export const MAX_ORDERS = 3;
/** Password of a user, which has at least one. */
export const MAX_PASSWORD = 1_024;
/** Rows of a page of a list in the graph, at most and without an argument. */
export const MAX_PAGE = 200;
export const USUAL_PAGE = 20;
/** Rows of a searched list that are counted, or sorted by a column without an index. */
export const MAX_COUNTED = 10_000;

/** Text of a search. */
export const MAX_SEARCH = 1_000;

/** Pictures of users: bytes of the file, and pixels of each side. */
export const MAX_AVATAR_BYTES = 512 * 1024;
export const MAX_AVATAR_PIXELS = 1_024;

/** Attachments that one archive names. An archive without ids has all files of its container. */
export const MAX_ARCHIVED_IDS = 1_000;

/** Size of a linked file in an archive, in bytes: 64 GiB. */
export const MAX_LINKED_FILE_BYTES = 64 * 1024 ** 3;

/** Attachments that one mutation deletes, moves, copies or restores. */
export const MAX_CHANGED_ATTACHMENTS = 100;

/** Ids in lists that one document names, or the links in the body of one request. */
export const MAX_LISTED_IDS = 1_000;

/** Objects that the field `nodes` returns. */
export const MAX_NODES = 100;

/** What one person adds to one work package within this time is one notification. */
export const NOTIFICATION_MERGE_MS = 5 * 60_000;

/** Of those who commented on a work package, this many are notified of a file. */
export const MAX_NOTIFIED_COMMENTERS = 1_000;

/** Largest body in bytes, without its file. */
export const MAX_BODY = 1024 * 1024;

/** Largest directory file in the graph, in bytes. The command `import` has no limit. */
export const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
/** Passwords in such a file: each takes about 0.1 s. */
export const MAX_DIRECTORY_PASSWORDS = 100;
/** Bad rows that are reported. */
export const MAX_BAD_ROWS = 1_000;
