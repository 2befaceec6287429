/** Where a file is: the page of what it belongs to. A comment's page is its work package. */
import type { FileWithPlaceFragment } from '../generated/documents';
import { say } from '../words';

/** Objects of other kinds have no page here. */
const folders: { readonly [kind: string]: string } = {
  WorkPackage: 'work_packages',
  Meeting: 'meetings',
  Post: 'posts',
  WikiPage: 'wiki_pages',
};

interface Home {
  __typename: string;
  databaseId: number;
  workPackage?: { databaseId: number };
}

/** The page with the files of an object. Absent: it has no page here. */
export function addressOf({ __typename, databaseId, workPackage }: Home): string | undefined {
  if (workPackage) return `/work_packages/${workPackage.databaseId}`;
  const folder = folders[__typename];
  return folder && `/${folder}/${databaseId}`;
}

interface Place {
  to: string;
  title: string;
  /** What kind of object it is, in words. */
  kind: string;
  project: string;
}

export function placeOf({ container }: FileWithPlaceFragment): Place | undefined {
  const to = container && addressOf(container);
  if (!container || !to) return undefined;
  if (container.__typename === 'Activity') {
    const { subject, project } = container.workPackage;
    return { to, title: subject, kind: say('kind.Activity'), project: project.name };
  }
  if (!('title' in container)) return undefined;
  const { title, project, __typename: kind } = container;
  return { to, title, kind: say(`kind.${kind}`), project: project.name };
}
