/** Lists in pieces: databases bound the number of values in one statement. */
const SIZE = 500;

export const chunks = <T>(items: readonly T[]): T[][] => Array.from({ length: Math.ceil(items.length / SIZE) }, (_, index) => items.slice(index * SIZE, (index + 1) * SIZE));
