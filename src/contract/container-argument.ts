/** Reads the container that an argument names. */
import { parseGlobalId } from './ids.js';
import { containerTypes, type ContainerType } from './container-kinds.js';

interface ContainerArgument {
  type: ContainerType;
  /** Undefined: no container can have this id. */
  id: number | undefined;
}

/** Reads a global id. If it names no container, the `id` of the result is undefined. */
export function containerNamed(globalId: string): ContainerArgument {
  const parsed = parseGlobalId(globalId);
  const type = containerTypes.find((one) => one === parsed?.type);
  return type && parsed ? { type, id: parsed.id } : { type: 'WorkPackage', id: undefined };
}

export const optionalContainer = (
  globalId: string | null | undefined,
): ContainerArgument | undefined =>
  globalId === null || globalId === undefined ? undefined : containerNamed(globalId);
