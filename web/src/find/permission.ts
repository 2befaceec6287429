import { MoorageError } from 'moorage-client';

/** Whoever may see no work package at all finds none. */
export function noneWithoutPermission(error: unknown): undefined {
  if (error instanceof MoorageError && error.status === 403) return undefined;
  throw error;
}
