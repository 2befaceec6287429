/** Makes a work package, meeting, post or wiki page, and claims attachments for it. */
import type { Context } from '../context.js';
import { NotFound } from '../errors.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import { born } from '../models/record.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { containers } from '../policies/permissions.js';
import { claimAttachments } from './claim-attachments.js';
import { claimFileLinks, lockLinksForClaim } from './claim-file-links.js';
import { demandValid } from './demand-valid.js';
import { recordChange } from './record-change.js';
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
export async function createContainer(context: Context, type: NamedContainer, { projectId, name, attachments, fileLinks }: NewContainer): Promise<ContainerRecord> {
  const project = await demand(await find.project(context, projectId), (row) => can.create(context, type, row.id));
  demandValid(context);
  const named = validateName(type, name);
  const now = context.clock().toISOString();
  const { model } = containers[type as ContainerType];
  const id = await context.db.write.transaction(async (trx) => {
    if (fileLinks) await lockLinksForClaim(context, trx, { workPackage: { projectId: project.id }, named: fileLinks });
    const row = await model.query(trx).insert({ projectId: project.id, authorId: context.user.id, ...named, ...born(now) }).returning('id') as unknown as ContainerRecord;
    const { changes } = await claimAttachments(context, trx, { type, id: row.id, named: attachments ?? [], replace: false });
    const links = fileLinks ? await claimFileLinks(context, trx, { workPackage: { id: row.id, projectId: project.id }, named: fileLinks, replace: false }) : [];
    await recordChange(trx, { type, id: row.id }, context.user.id, [...changes, ...links], now);
    return row.id;
  });
  const made = await model.query(context.db.write).findById(id);
  if (!made) throw new NotFound();
  return made;
}
