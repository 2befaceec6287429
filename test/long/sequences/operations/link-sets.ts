/** A request to create or change a work package can name its complete new set of file links. */
import {
  fileLinksOf,
  usedIn,
  type Container,
  type FileLink,
  type Model,
  type Person,
  type Project,
} from '../model.js';
import { managesFileLinks, mayNameLink, type Refusal } from '../rules.js';
import { mostly, some } from './draw.js';

/** None, one or two, with or without the present set. */
export function linkSet(
  model: Model,
  person: Person,
  container: Container | undefined,
  number: number,
): FileLink[] | undefined {
  const others = mostly(
    model.fileLinks.filter((one) => container === undefined || one.container !== container),
    number,
    (one) => mayNameLink(person, one),
  );
  const own = container ? fileLinksOf(model, container) : [];
  const [one, other] = [some(others, number), some(others, number + 7)];
  return [
    undefined,
    undefined,
    undefined,
    [...own, one],
    [one],
    [one, other],
    own.slice(1),
    [one, one],
  ][number % 8];
}

/** Another user's link is not found. Claims and removals need the permission, and the project needs the storage. */
export function refusalOfLinks(
  model: Model,
  person: Person,
  where: Container | { project: Project },
  links: readonly FileLink[] | undefined,
): Refusal | undefined {
  if (!links) return undefined;
  const container = 'kind' in where ? where : undefined;
  if (!links.every((link) => mayNameLink(person, link, container)))
    return 'PropertyConstraintViolation';
  const own = container ? fileLinksOf(model, container) : [];
  const changed =
    links.some((link) => link.container === undefined) || own.some((link) => !links.includes(link));
  if (changed && !managesFileLinks(person, where)) return 'MissingPermission';
  return links.every((link) => usedIn(model, where.project, link.storage))
    ? undefined
    : 'PropertyConstraintViolation';
}

/** A file is linked once. Of two named links to it, the existing one stays, else the earlier one. */
export function claimLinks(model: Model, container: Container, links: readonly FileLink[]): void {
  for (const own of fileLinksOf(model, container)) if (!links.includes(own)) own.gone = true;
  const isSame = (one: FileLink, other: FileLink) =>
    one.storage === other.storage && one.file === other.file;
  const unclaimed = [...new Set(links)]
    .filter((link) => link.container === undefined)
    .sort((a, b) => a.id - b.id);
  for (const link of unclaimed) {
    if (fileLinksOf(model, container).some((own) => isSame(own, link))) link.gone = true;
    else link.container = container;
  }
}
