/** The file links of a work package. */
import { FileLink } from '../models/file-link.js';
import { visible } from '../policies/visible.js';
import { byCreation } from './list.js';
import { fixed } from './statement.js';

const list = (direction: 'asc' | 'desc', isOfSomeStorages: boolean) =>
  fixed<FileLink>({
    rows: (db, _user, given) =>
      visible.fileLinksOf(given('workPackage') as number, given('project') as number, db),
    ...(isOfSomeStorages && {
      filters: ({ phrases }, given) => [
        { text: phrases.isOneOf('file_links.storage_id'), values: [given('storages')] },
      ],
    }),
    order: byCreation('file_links', direction),
  });

const lists = {
  oldestFirst: { all: list('asc', false), some: list('asc', true) },
  newestFirst: { all: list('desc', false), some: list('desc', true) },
};

/** The caller must be able to see the links of the work package. */
export const fileLinks = (order: keyof typeof lists, isOfSomeStorages: boolean) =>
  lists[order][isOfSomeStorages ? 'some' : 'all'];
