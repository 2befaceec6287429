/** The attachments of one container: pages of a hundred, kept in step with what others change. */
import { queryOptions, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import {
  AttachmentChangedDocument,
  AttachmentDetailsDocument,
  AttachmentsDocument,
  WorkPackageFileCountsDocument,
  WorkPackageFilesDocument,
  type AttachmentOrder,
  type AttachmentDetailsQuery,
  type AttachmentEvent,
  type AttachmentRowFragment,
  type ContainerType,
} from '../generated/documents';
import { filterOf, type Filters } from '../find/file-filters';
import { answers, moorage } from '../service';
import { speak } from '../shell/messages';
import { say } from '../words';
import { useLive } from './live';
import { attachmentsKey, refresh } from './refresh';
import { isWithdrawn } from './withdraw';

const PAGE = 100;

/** After these, a list has other files than before. */
const moves: ReadonlySet<AttachmentEvent> = new Set(['CREATED', 'CLAIMED', 'MOVED', 'RESTORED']);

/** Which files of a work package: all, its own, or those of its comments. */
export const scopes = ['all', 'here', 'comments'] as const;
export type Scope = (typeof scopes)[number];
const typesIn: { readonly [scope in Scope]: ContainerType[] | undefined } = {
  all: undefined,
  here: ['WORK_PACKAGE'],
  comments: ['ACTIVITY'],
};

/** Only the lists of work packages have files of several containers. */
export type ListedFile = AttachmentRowFragment & {
  author: { databaseId?: number };
  container?: { __typename: string; id: string } | null;
};
/** The container of a file in the list of another one. */
export const homeOf = ({ container }: ListedFile, listed: string): string =>
  container?.id ?? listed;
export const isInComment = ({ container }: ListedFile): boolean =>
  container?.__typename === 'Activity';

interface Wanted {
  orderBy: AttachmentOrder;
  search: string;
  /** For a work package. */
  within?: { scope: Scope; filters: Filters } | undefined;
}

interface Page {
  totalCount: number;
  totalIsAtLeast?: boolean;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: ListedFile[];
}

async function load(
  containerId: string,
  { orderBy, search, within }: Wanted,
  { after, signal }: { after: string | undefined; signal: AbortSignal },
): Promise<Page | null> {
  const variables = { first: PAGE, after, orderBy, search: search || undefined };
  if (!within) {
    const asked = { containerId, ...variables };
    const { container } = await moorage.query(AttachmentsDocument, asked, { signal });
    return container?.attachments ?? null;
  }
  const { scope, filters } = within;
  const filter = {
    ...filterOf(filters),
    workPackageIds: [containerId],
    containerTypes: typesIn[scope],
  };
  const asked = { filter, ...variables };
  return (await moorage.query(WorkPackageFilesDocument, asked, { signal })).attachments;
}

/** How many files a work package and its comments have. */
export const useCounts = (containerId: string, enabled: boolean) =>
  useQuery({
    queryKey: [...attachmentsKey(containerId), 'counts'],
    queryFn: ({ signal }) =>
      moorage.query(WorkPackageFileCountsDocument, { id: containerId }, { signal }),
    enabled,
  }).data;

export function useAttachments(containerId: string, wanted: Wanted) {
  const { orderBy, search, within } = wanted;
  const query = useInfiniteQuery({
    queryKey: [...listsKey(containerId), orderBy, search, within],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => load(containerId, wanted, { after, signal }),
    getNextPageParam: (page) =>
      page?.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined,
    placeholderData: (previous) => previous,
  });
  useLive(
    'attachments',
    AttachmentChangedDocument,
    { containerId },
    ({ attachmentChanged: { event, attachmentId, attachment, reason } }) => {
      const name = attachment?.fileName ?? nameOf(containerId, attachmentId);
      if (event === 'CREATED') speak(say('files.addedLive', { name }));
      if (event === 'DELETED') speak(say('files.removedLive', { name }));
      if (event === 'REJECTED') speak(say('files.rejectedLive', { name, reason: reason ?? '' }));
      const isLoaded = query.data !== undefined && !query.isPlaceholderData;
      if (attachment && !moves.has(event) && isLoaded) replace(containerId, attachment);
      else refresh(containerId);
      askAgainFor(attachmentId);
    },
    () => refresh(containerId),
  );
  const pages = query.data?.pages ?? [];
  const loaded = pages.flatMap((page) => page?.nodes ?? []);
  const rows = loaded.filter(({ id }) => !isWithdrawn(id));
  const there = pages[0]?.totalCount ?? 0;
  const total = there - (loaded.length - rows.length);
  return { ...query, rows, total };
}

type Pages = InfiniteData<Page | null, string | undefined>;

const listsKey = (containerId: string) => [...attachmentsKey(containerId), 'list'] as const;

/** An attachment with all that the viewer needs. */
export type ViewedFile = NonNullable<AttachmentDetailsQuery['attachment']>;

/** One attachment by its `databaseId`. It may be in no list. */
export const attachmentOptions = (databaseId: number) =>
  queryOptions({
    queryKey: ['attachment', databaseId],
    queryFn: ({ signal }) =>
      moorage.query(AttachmentDetailsDocument, { id: String(databaseId) }, { signal }),
    // Its addresses end after some minutes.
    staleTime: 60_000,
    gcTime: 60_000,
  });

function askAgainFor(id: string): void {
  void answers.invalidateQueries({
    queryKey: ['attachment'],
    predicate: ({ state }) =>
      (state.data as AttachmentDetailsQuery | undefined)?.attachment?.id === id,
  });
}

/** Puts what is new of one attachment into the lists that show it. */
export function replace(containerId: string, attachment: AttachmentRowFragment): void {
  askAgainFor(attachment.id);
  answers.setQueriesData<Pages>(
    { queryKey: listsKey(containerId) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map(
          (page) =>
            page && {
              ...page,
              // What only this list asks for stays.
              nodes: page.nodes.map((one) =>
                one.id === attachment.id
                  ? { ...one, ...attachment, author: { ...one.author, ...attachment.author } }
                  : one,
              ),
            },
        ),
      },
  );
}

function nameOf(containerId: string, id: string): string {
  const pages = answers
    .getQueriesData<Pages>({ queryKey: listsKey(containerId) })
    .flatMap(([, data]) => data?.pages ?? []);
  const rows = pages.flatMap((page) => page?.nodes ?? []);
  return rows.find((one) => one.id === id)?.fileName ?? '';
}
