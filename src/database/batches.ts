/** Splits lists, because databases limit the number of values in one statement. */

/** The most values in one statement. */
export const MAX_BATCH = 500;

export const chunks = <T>(items: readonly T[], size = MAX_BATCH): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
