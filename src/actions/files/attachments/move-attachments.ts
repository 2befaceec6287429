/** Moves attachments to another container. */
import type { Context } from '../../../context.js';
import { whereContainerExists } from '../../../database/missing-reference.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment } from '../../../models/attachment.js';
import type { ContainerType } from '../../../models/container.js';
import { AttachmentEvent } from '../../../models/event.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { checkContainerRoom } from './check-container-room.js';
import { bytesOf, checkProjectRoom } from './check-project-room.js';
import {
  chosenAttachments,
  demandFinished,
  lockChosen,
  mayDelete,
  type RequestedIds,
} from './chosen-attachments.js';
import { placedIn, type Place } from './placed-in.js';
import { lockContainers, recordChanges, type ContainerChange } from './record-changes.js';

/** Where attachments go. The id is undefined if no container can have it. */
export interface Target {
  type: ContainerType;
  id: number | undefined;
}

/** The container, if the caller may add files there. @throws NotFound, MissingPermission */
export async function demandTarget(context: Context, { type, id }: Target): Promise<Place> {
  const container = await demand(await find.container(context, type, id), (row) =>
    can.attach(context, type, row),
  );
  return { type, id: container.id, projectId: container.projectId };
}

/**
 * It needs the right to delete where they are, and to add where they go. Those that are there
 * already stay.
 * @throws NotFound, MissingPermission, PropertyConstraintViolation if the container is too full
 */
export async function moveAttachments(
  context: Context,
  ids: RequestedIds,
  to: Target,
): Promise<Attachment[]> {
  const { db } = context;
  const target = await demandTarget(context, to);
  const chosen = await chosenAttachments(context, ids, (row) => mayDelete(context, row));
  demandFinished(chosen);
  const now = context.clock().toISOString();
  const values = { ...placedIn(target), expiresAt: null, updatedAt: now };
  const moved = await whereContainerExists(
    db.write.transaction(async (trx) => {
      const rows = await lockChosen(context, trx, chosen);
      if (!rows) return undefined;
      const moving = rows.filter(
        ({ containerRef: from }) => from?.type !== target.type || from.id !== target.id,
      );
      if (moving.length === 0) return rows;
      const places = moving.flatMap(({ containerRef: from }) => from ?? []);
      await lockContainers(context, trx, [...places, target]);
      await Attachment.query(trx)
        .patch(values)
        .whereIn(
          'id',
          moving.map(({ id }) => id),
        );
      await checkContainerRoom(context, trx, { ...target, adding: 0 });
      const arriving = moving.filter(({ projectId }) => projectId !== target.projectId);
      await checkProjectRoom(context, trx, target.projectId, bytesOf(arriving));
      const [claimed, leaving] = [
        moving.filter(({ containerRef }) => !containerRef),
        moving.filter(({ containerRef }) => containerRef),
      ];
      await recordChanges(
        context,
        trx,
        [
          ...leaving.flatMap(({ id, containerRef: from, fileName }): ContainerChange[] =>
            from
              ? [
                  {
                    container: from,
                    change: { action: 'attachmentMovedAway', fileName, attachmentDatabaseId: id },
                  },
                ]
              : [],
          ),
          ...moving.map(({ id, containerRef: from, fileName }): ContainerChange => ({
            container: target,
            change: {
              action: from ? 'attachmentMovedHere' : 'attachmentAdded',
              fileName,
              attachmentDatabaseId: id,
            },
          })),
        ],
        { authorId: context.user.id, now },
      );
      // People who see only one of the two containers learn of it too.
      const kind = AttachmentEvent.MOVED;
      const record = (some: typeof rows, what: AttachmentEvent) =>
        recordEvents(
          db,
          trx,
          some.map((attachment) => ({ kind: what, attachment })),
          now,
        );
      await record(leaving, kind);
      for (const row of moving) row.$set(values);
      await record(leaving, kind);
      await record(claimed, AttachmentEvent.CLAIMED);
      return rows;
    }),
  );
  return moved ?? moveAttachments(context, ids, to);
}
