/** The attachments of one container: pages of a hundred, kept in step with what others change. */
import { queryOptions, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import {
  AttachmentChangedDocument,
  AttachmentDetailsDocument,
  AttachmentsDocument,
  type AttachmentOrder,
  type AttachmentDetailsQuery,
  type AttachmentRowFragment,
  type AttachmentsQuery,
} from '../generated/documents';
import { answers, moorage } from '../service';
import { speak } from '../shell/messages';
import { say } from '../words';
import { useLive } from './live';
import { attachmentsKey, refresh } from './refresh';
import { isWithdrawn } from './withdraw';

const PAGE = 100;

interface Wanted {
  orderBy: AttachmentOrder;
  search: string;
}

export function useAttachments(containerId: string, { orderBy, search }: Wanted) {
  const query = useInfiniteQuery({
    queryKey: [...attachmentsKey(containerId), orderBy, search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      moorage.query(
        AttachmentsDocument,
        { containerId, first: PAGE, after: pageParam, orderBy, search: search || undefined },
        { signal },
      ),
    getNextPageParam: ({ container }) =>
      container?.attachments.pageInfo.hasNextPage
        ? (container.attachments.pageInfo.endCursor ?? undefined)
        : undefined,
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
      if (attachment && event !== 'CREATED' && isLoaded) replace(containerId, attachment);
      else refresh(containerId);
      askAgainFor(attachmentId);
    },
    () => refresh(containerId),
  );
  const pages = query.data?.pages ?? [];
  const loaded = pages.flatMap(({ container }) => container?.attachments.nodes ?? []);
  const rows = loaded.filter(({ id }) => !isWithdrawn(id));
  const there = pages[0]?.container?.attachments.totalCount ?? 0;
  const total = there - (loaded.length - rows.length);
  return { ...query, rows, total };
}

type Pages = InfiniteData<AttachmentsQuery, string | undefined>;

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
    { queryKey: attachmentsKey(containerId) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map(({ container }) => ({
          container: container && {
            ...container,
            attachments: {
              ...container.attachments,
              nodes: container.attachments.nodes.map((one) =>
                one.id === attachment.id ? attachment : one,
              ),
            },
          },
        })),
      },
  );
}

function nameOf(containerId: string, id: string): string {
  const pages = answers
    .getQueriesData<Pages>({ queryKey: attachmentsKey(containerId) })
    .flatMap(([, data]) => data?.pages ?? []);
  const rows = pages.flatMap(({ container }) => container?.attachments.nodes ?? []);
  return rows.find((one) => one.id === id)?.fileName ?? '';
}
