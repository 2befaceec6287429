/** Changes the name of a container, the set of its attachments, or both. */
import type { Context } from '../../../context.js';
import type { NamedContainer } from '../../../contract/container-kinds.js';
import { NotFound, UpdateConflict } from '../../../contract/errors.js';
import type { ContainerRecord } from '../../../models/container.js';
import { WorkPackage } from '../../../models/work-package.js';
import { keepDescriptionTexts } from '../../../models/work-package-text.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { containers } from '../../../policies/permissions.js';
import {
  claimAttachments,
  checkClaim,
  lockForClaim,
  emptyClaim,
} from '../../files/attachments/claim-attachments.js';
import {
  claimFileLinks,
  checkFileLinkClaim,
  lockLinksForClaim,
  emptyLinkClaim,
} from '../../storages/links/claim-file-links.js';
import { demandReadableBody, demandValid } from '../../base/validation/demand-valid.js';
import { purgeAttachments } from '../../files/purge/purge-attachments.js';
import { recordChange } from '../../base/history/record-change.js';
import { validateDetails, type DetailColumns, type Details } from './validate-details.js';
import { validateName } from './validate-name.js';

interface ContainerChanges {
  /** Subject or title; undefined leaves it unchanged. */
  name?: unknown;
  /** Work packages only: the version that the caller has read. */
  lockVersion?: number | undefined;
  /** The complete new set; undefined leaves it unchanged. */
  attachments?: readonly (number | undefined)[] | undefined;
  /** Work packages only: the complete new set; undefined leaves it unchanged. */
  fileLinks?: readonly (number | undefined)[] | undefined;
  /** Work packages only. */
  details?: Details | undefined;
  /** Whether people are notified of files that are added. Default: true. */
  notifies?: boolean | undefined;
}

/**
 * @throws NotFound, MissingPermission, PropertyConstraintViolation
 * @throws UpdateConflict if `lockVersion` is no longer the version of the work package
 */
export async function updateContainer(
  context: Context,
  type: NamedContainer,
  id: number | undefined,
  { name, lockVersion, attachments, fileLinks, details, notifies }: ContainerChanges,
): Promise<ContainerRecord> {
  const container = await demand(await find.container(context, type, id), (row) =>
    can.edit(context, type, row),
  );
  demandReadableBody(context);
  const named = name === undefined ? none : validateName(type, name);
  const detailed = details
    ? await validateDetails(context, container.projectId, details, false)
    : none;
  const columns = { ...named.columns, ...detailed.columns };
  const violations = [...named.violations, ...detailed.violations];
  // Without claims no other violation is possible: throw before opening a transaction.
  if (!attachments && !fileLinks) demandValid(context, violations);
  const now = context.clock().toISOString();
  const { model } = containers[type];
  const mayManage =
    fileLinks !== undefined && (await can.manageFileLinks(context, container.projectId));
  const removed = await context.db.write.transaction(async (trx) => {
    if (fileLinks)
      await lockLinksForClaim(context, trx, { workPackage: container, requestedIds: fileLinks });
    if (attachments)
      await lockForClaim(context, trx, { type, id: container.id, requestedIds: attachments });
    const update = model
      .query(trx)
      .patch({
        ...columns,
        updatedAt: now,
        ...(type === 'WorkPackage' && { lockVersion: WorkPackage.raw('lock_version + 1') }),
      })
      .where('id', container.id);
    if (type === 'WorkPackage' && lockVersion !== undefined)
      update.where('lock_version', lockVersion);
    if ((await update) === 0)
      throw lockVersion === undefined ? new NotFound() : new UpdateConflict();
    const { descriptionText }: DetailColumns = detailed.columns;
    if (descriptionText !== undefined)
      await keepDescriptionTexts(trx, [{ id: container.id, description: descriptionText }]);
    const checked = attachments
      ? await checkClaim(context, trx, { type, id: container.id, requestedIds: attachments })
      : emptyClaim;
    const checkedLinks = fileLinks
      ? await checkFileLinkClaim(context, trx, {
          workPackage: container,
          requestedIds: fileLinks,
          replace: true,
          mayManage,
        })
      : emptyLinkClaim;
    demandValid(context, [...violations, ...checked.violations, ...checkedLinks.violations]);
    const claimed = await claimAttachments(context, trx, {
      type,
      id: container.id,
      projectId: container.projectId,
      checked,
      replace: attachments !== undefined,
    });
    const links = await claimFileLinks(context, trx, { id: container.id, checked: checkedLinks });
    await recordChange(
      context.db,
      trx,
      { type, id: container.id },
      { authorId: context.user.id, changes: [...claimed.changes, ...links], now, notifies },
    );
    return claimed.removed;
  });
  await purgeAttachments(context, removed);
  const changed = await model.query(context.db.write).findById(container.id);
  if (!changed) throw new NotFound();
  return changed;
}

const none = { columns: {}, violations: [] };
