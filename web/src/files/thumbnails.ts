/** Small pictures that are not made yet: asked for again, many files in one request. */
import { useQuery } from '@tanstack/react-query';
import { ThumbnailsDocument, type AttachmentRowFragment } from '../generated/documents';
import { moorage } from '../service';

type Small = Pick<AttachmentRowFragment, 'previewState' | 'thumbnail'>;

/** Until the service has made some of them. */
const AGAIN_MS = 3_000;
/** Files that ask within this time share a request. */
const GATHER_MS = 50;
/** Ids of one request. */
const MANY = 100;

type Found = Promise<Map<string, Small>>;

/** The files of the next request, and its answer. */
let next: { ids: Set<string>; found: Found } | undefined;

async function load(ids: readonly string[]): Found {
  const found = new Map<string, Small>();
  for (let from = 0; from < ids.length; from += MANY) {
    const { nodes } = await moorage.query(ThumbnailsDocument, {
      ids: ids.slice(from, from + MANY),
    });
    for (const node of nodes) if (node?.__typename === 'Attachment') found.set(node.id, node);
  }
  return found;
}

function gather(): { ids: Set<string>; found: Found } {
  const ids = new Set<string>();
  const pause = new Promise((resolve) => {
    setTimeout(resolve, GATHER_MS);
  });
  const found = pause.then(() => {
    next = undefined;
    return load([...ids]);
  });
  return { ids, found };
}

async function ask(id: string): Promise<Small | null> {
  const { ids, found } = (next ??= gather());
  ids.add(id);
  return (await found).get(id) ?? null;
}

/** The address of the small picture of a file; undefined as long as there is none. */
export function useThumbnail(file: AttachmentRowFragment): string | undefined {
  const { data } = useQuery({
    queryKey: ['thumbnail', file.id, file.digest.hash],
    queryFn: () => ask(file.id),
    enabled: file.previewState === 'PENDING',
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data?.previewState === 'PENDING' ? AGAIN_MS : false,
  });
  return (file.thumbnail ?? data?.thumbnail)?.href;
}
