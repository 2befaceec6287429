/** Creates a named container and claims attachments and file links for it. */
import type { Context } from '../../../context.js';
import type { NamedContainer } from '../../../contract/container-kinds.js';
import { NotFound } from '../../../contract/errors.js';
import type { ContainerRecord } from '../../../models/container.js';
import { timestamps } from '../../../models/record.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { containers } from '../../../policies/permissions.js';
import { claimAttachments, checkClaim } from '../../files/attachments/claim-attachments.js';
import {
  claimFileLinks,
  checkFileLinkClaim,
  lockLinksForClaim,
  emptyLinkClaim,
} from '../../storages/links/claim-file-links.js';
import { demandReadableBody, demandValid } from '../../base/validation/demand-valid.js';
import { recordChange } from '../../base/history/record-change.js';
import { validateDetails, type Details } from './validate-details.js';
import { validateName } from './validate-name.js';

interface NewContainer {
  projectId: number | undefined;
  /** Subject or title. */
  name: unknown;
  attachments?: readonly (number | undefined)[] | undefined;
  /** Work packages only. */
  fileLinks?: readonly (number | undefined)[] | undefined;
  /** Work packages only. */
  details?: Details | undefined;
  /** Whether people are notified of files that are added. Default: true. */
  notifies?: boolean | undefined;
}

/** @throws NotFound for the project, MissingPermission, PropertyConstraintViolation */
export async function createContainer(
  context: Context,
  type: NamedContainer,
  { projectId, name, attachments, fileLinks, details, notifies }: NewContainer,
): Promise<ContainerRecord> {
  const project = await demand(await find.project(context, projectId), (row) =>
    can.create(context, type, row.id),
  );
  demandReadableBody(context);
  const named = validateName(type, name);
  const detailed =
    type === 'WorkPackage' ? await validateDetails(context, project.id, details ?? {}, true) : none;
  const columns = { ...named.columns, ...detailed.columns };
  const violations = [...named.violations, ...detailed.violations];
  // Without claims no other violation is possible: throw before opening a transaction.
  if (!attachments && !fileLinks) demandValid(context, violations);
  const now = context.clock().toISOString();
  const { model } = containers[type];
  const mayManage = fileLinks !== undefined && (await can.manageFileLinks(context, project.id));
  const id = await context.db.write.transaction(async (trx) => {
    if (fileLinks)
      await lockLinksForClaim(context, trx, {
        workPackage: { projectId: project.id },
        requestedIds: fileLinks,
      });
    const checked = await checkClaim(context, trx, { type, requestedIds: attachments ?? [] });
    const checkedLinks = fileLinks
      ? await checkFileLinkClaim(context, trx, {
          workPackage: { projectId: project.id },
          requestedIds: fileLinks,
          replace: false,
          mayManage,
        })
      : emptyLinkClaim;
    demandValid(context, [...violations, ...checked.violations, ...checkedLinks.violations]);
    const row = await model
      .query(trx)
      .insert({ projectId: project.id, authorId: context.user.id, ...columns, ...timestamps(now) })
      .returning('id');
    const { changes } = await claimAttachments(context, trx, {
      type,
      id: row.id,
      projectId: project.id,
      checked,
      replace: false,
    });
    const links = await claimFileLinks(context, trx, { id: row.id, checked: checkedLinks });
    await recordChange(
      context.db,
      trx,
      { type, id: row.id },
      { authorId: context.user.id, changes: [...changes, ...links], now, notifies },
    );
    return row.id;
  });
  const created = await model.query(context.db.write).findById(id);
  if (!created) throw new NotFound();
  return created;
}

const none = { columns: {}, violations: [] };
