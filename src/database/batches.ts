/** Splits lists, because databases limit the number of values in one statement. */
const SIZE = 500;

export const chunks = <T>(items: readonly T[], size = SIZE): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
