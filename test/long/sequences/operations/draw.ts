/** Chooses records by drawn numbers, and names them for the output. */
import { segments, type Kind } from '../../../support/factories.js';
import { pick, present, type Attachment, type Container, type FileLink } from '../model.js';

/** One of this number of choices may be a deleted record, or one that never existed. */
const MAY_BE_GONE = 8;

export const some = <T extends { gone: boolean }>(list: readonly T[], number: number): T => {
  const here = present(list);
  return number % MAY_BE_GONE === 0 || here.length === 0
    ? pick(list, Math.floor(number / MAY_BE_GONE))
    : pick(here, number);
};

/** One of this number of choices ignores whether it can succeed. */
const MAY_BE_UNFIT = 5;

/** Mostly those that fit. */
export const mostly = <T>(
  list: readonly T[],
  number: number,
  fits: (one: T) => boolean,
): readonly T[] => {
  const fitting = number % MAY_BE_UNFIT === 0 ? [] : list.filter(fits);
  return fitting.length > 0 ? fitting : list;
};

const gone = ({ gone: isGone }: { gone: boolean }) => (isGone ? 'gone ' : '');

export const containerName = (container: Container): string =>
  `the ${gone(container)}${container.internal ? 'internal ' : ''}${container.kind} ${container.id} of the ${container.project.name}`;
export const attachmentName = (one: Attachment): string =>
  `the ${gone(one)}${one.status === 'prepared' ? 'prepared ' : ''}attachment ${one.id} of ${one.container ? containerName(one.container) : `nothing, by ${one.author.name}`}`;
export const linkName = (one: FileLink): string =>
  `the ${gone(one)}file link ${one.id} of ${one.container ? containerName(one.container) : `nothing, by ${one.creator.name}`}`;

export const globalId = (type: string, id: number): string =>
  Buffer.from(`${type}:${id}`).toString('base64url');

/** The GraphQL field of a kind. */
export const typeOf = (kind: Kind): string => `${kind[0]!.toLowerCase()}${kind.slice(1)}`;

export const containerId = ({ kind, id }: Container): string => globalId(kind, id);
export const listPath = ({ kind, id }: Container): string =>
  `/api/v3/${segments[kind]}/${id}/attachments`;
