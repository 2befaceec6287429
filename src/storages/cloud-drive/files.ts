/** Lists a folder of a drive. */
import { mapInSlices } from '../../concurrency/slices.js';
import type { Access, FileInfo, Folder, Listing } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { FirstByName } from '../first-by-name.js';
import { hiddenFolder } from '../hidden-folder.js';
import { at, type Json } from '../json.js';
import { demandDepth, withoutDots } from '../parent.js';
import { itemAt, namesIn } from './address.js';
import { getAll, type PartialAnswer } from './batch.js';
import { get } from './client.js';
import { FIELDS, fileInfo, folderPath, isFolder, isRoot } from './item.js';
import { PAGE, pagesOf } from './pages.js';

/** Lists the folder by its id: if listed by path, the next pages are those of the root. */
export async function files(access: Access, parent = '/'): Promise<Folder> {
  const folder = await get(access, `${itemAt(access, withoutDots(parent))}?$select=${FIELDS}`);
  const above = folderPath(folder, parent.startsWith('/') ? folderOf(parent) : undefined);
  const described = fileInfo(folder, { location: above });
  if (!isFolder(folder)) throw new StorageFailure('notDirectory', 200, 'It is not a folder.');
  const [listing, ancestors] = await Promise.all([
    childrenOf(access, described),
    isRoot(folder) ? [] : ancestorsOf(access, folder, above),
  ]);
  return { parent: described, ancestors, ...listing };
}

async function childrenOf(access: Access, folder: FileInfo): Promise<Listing> {
  const entries = new FirstByName();
  const path = `${itemAt(access, folder.id, 'children')}?$top=${PAGE}&$select=${FIELDS}`;
  for await (const rows of pagesOf(access, path))
    for (const file of await mapInSlices(rows, (row) => fileInfo(row, folder))) entries.add(file);
  return entries.listing();
}

/**
 * Returns the folders from the root down. If the user cannot see one, or the request fails, its
 * path is its id.
 */
async function ancestorsOf(access: Access, folder: Json, above: string): Promise<FileInfo[]> {
  const names = namesIn(above);
  demandDepth(names);
  const locations = ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
  const answers = await read(access, locations);
  // The folder itself names the id of the folder directly above.
  const nearest = at(folder, 'parentReference', 'id');
  return locations.map((location, index) => {
    const id = index === locations.length - 1 ? nearest : undefined;
    return (
      visibleFolder(answers.get(location), folderOf(location)) ??
      hiddenFolder(location, typeof id === 'string' && id !== '' ? id : undefined)
    );
  });
}

async function read(
  access: Access,
  locations: readonly string[],
): Promise<Map<string, PartialAnswer>> {
  try {
    return new Map(
      await getAll(
        access,
        locations,
        (location) => `${itemAt(access, location)}?$select=${FIELDS}`,
      ),
    );
  } catch {
    return new Map();
  }
}

function visibleFolder(answer: PartialAnswer | undefined, above: string): FileInfo | undefined {
  try {
    return answer && !(answer instanceof StorageFailure) && answer.status === 200
      ? fileInfo(answer.body, { location: above })
      : undefined;
  } catch {
    return undefined;
  }
}

/** The path of the folder that contains the entry at a path. */
const folderOf = (path: string): string => `/${namesIn(path).slice(0, -1).join('/')}`;
