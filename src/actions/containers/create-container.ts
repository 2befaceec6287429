/** Makes a container that has a name, and claims attachments for it. */
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import type { ContainerRecord, ContainerType } from '../../models/container.js';
import { born } from '../../models/record.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { containers } from '../../policies/permissions.js';
import { claimAttachments, judgeAttachments } from '../attachments/claim-attachments.js';
import {
  claimFileLinks,
  judgeFileLinks,
  lockLinksForClaim,
  noLinks,
} from '../file-links/claim-file-links.js';
import { demandRead, demandValid } from '../validation/demand-valid.js';
import { recordChange } from '../history/record-change.js';
import { validateName, type NamedContainer } from './validate-name.js';

export interface NewContainer {
  projectId: number | undefined;
  /** Subject or title. */
  name: unknown;
  attachments?: readonly (number | undefined)[] | undefined;
  /** Work packages only. */
  fileLinks?: readonly (number | undefined)[] | undefined;
}

/** @throws NotFound for the project, MissingPermission, PropertyConstraintViolation */
export async function createContainer(
  context: Context,
  type: NamedContainer,
  { projectId, name, attachments, fileLinks }: NewContainer,
): Promise<ContainerRecord> {
  const project = await demand(await find.project(context, projectId), (row) =>
    can.create(context, type, row.id),
  );
  demandRead(context);
  const { columns, violations } = validateName(type, name);
  // Nothing else can be wrong: no transaction is needed to say so.
  if (!attachments && !fileLinks) demandValid(context, violations);
  const now = context.clock().toISOString();
  const { model } = containers[type as ContainerType];
  const mayManage = fileLinks !== undefined && (await can.manageFileLinks(context, project.id));
  const id = await context.db.write.transaction(async (trx) => {
    if (fileLinks)
      await lockLinksForClaim(context, trx, {
        workPackage: { projectId: project.id },
        named: fileLinks,
      });
    const judged = await judgeAttachments(context, trx, { type, named: attachments ?? [] });
    const judgedLinks = fileLinks
      ? await judgeFileLinks(context, trx, {
          workPackage: { projectId: project.id },
          named: fileLinks,
          replace: false,
          mayManage,
        })
      : noLinks;
    demandValid(context, [...violations, ...judged.violations, ...judgedLinks.violations]);
    const row = (await model
      .query(trx)
      .insert({ projectId: project.id, authorId: context.user.id, ...columns, ...born(now) })
      .returning('id')) as unknown as ContainerRecord;
    const { changes } = await claimAttachments(context, trx, {
      type,
      id: row.id,
      judged,
      replace: false,
    });
    const links = await claimFileLinks(context, trx, { id: row.id, judged: judgedLinks });
    await recordChange(trx, { type, id: row.id }, context.user.id, [...changes, ...links], now);
    return row.id;
  });
  const made = await model.query(context.db.write).findById(id);
  if (!made) throw new NotFound();
  return made;
}
