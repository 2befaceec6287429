/** The members that all lists have. */
import { links, type Links } from './links.js';
import {
  array,
  count,
  described,
  embedded,
  linkTo,
  ref,
  templated,
  typeMember,
  type Members,
  type Schema,
} from './shapes.js';

/** A list on one page, without its links. */
export const collectionMembers = (element: string) => ({
  _type: typeMember('Collection'),
  total: described('Number of elements of the whole list.', count),
  count: described('Number of elements in this document.', count),
  _embedded: embedded({ elements: described('The elements.', array(ref(element))) }),
});

/**
 * A page of a list.
 * @param path pattern of the path of the list
 * @param more links that only this list has
 * @param self schema of the link `self`, if it differs from the links to pages
 */
export function pageMembers(
  element: string,
  path: string,
  self?: Schema,
  more: Links = {},
): Members {
  const { _embedded, ...members } = collectionMembers(element);
  const href: Schema = { type: 'string', pattern: `^/api/v3${path}\\?` };
  return {
    ...members,
    pageSize: described('The largest number of elements on a page.', count),
    offset: described('Number of this page, from 1.', { type: 'integer', minimum: 1 }),
    _embedded,
    _links: links({
      self: self ?? linkTo(href),
      jumpTo: templated(href),
      changeSize: templated(href),
      'previousByOffset?': linkTo(href),
      'nextByOffset?': linkTo(href),
      ...more,
    }),
  };
}
