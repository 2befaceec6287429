/** Who besides the service's own user may open the files that it makes. */

interface Access {
  /** Whether the group of the process may open its files, for example a user who makes back-ups. */
  fileGroupAccess: boolean;
}

/** The permission bits that no file of ours may have. */
export const forbiddenBits = ({ fileGroupAccess }: Access): number =>
  fileGroupAccess ? 0o007 : 0o077;

/**
 * Limits all files and folders that this process makes from now on: 0600 and 0700, or 0660 and
 * 0770 with group access. It replaces the umask that the process was started with, so files have
 * to be made with their default modes.
 */
export const limitFileAccess = (access: Access): void => void process.umask(forbiddenBits(access));
