/** Checks a work package before it is created. Nothing is stored. */
import type { Context } from '../../../context.js';
import { MissingPermission, type Violation } from '../../../contract/errors.js';
import type { Project } from '../../../models/project.js';
import type { Status } from '../../../models/status.js';
import type { Type } from '../../../models/type.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { visible } from '../../../policies/visible.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import {
  TYPE_NOT_ALLOWED,
  validateDetails,
  type DetailColumns,
  type Details,
} from './validate-details.js';
import { validateName } from './validate-name.js';

interface FormInput extends Details {
  /** Absent or null: no project was chosen yet. */
  project?: { id: number | undefined } | null | undefined;
  subject?: unknown;
}

interface CheckedForm {
  subject: string;
  project: Project | undefined;
  /** With the defaults of absent members. */
  columns: DetailColumns;
  violations: Violation[];
  allowedTypes: Type[];
  allowedStatuses: Status[];
}

/**
 * @throws MissingPermission if the caller may not create work packages there, or nowhere
 * @throws NotFound for a project that is missing or not visible
 */
export async function checkWorkPackageForm(
  context: Context,
  { project: given, subject, ...details }: FormInput,
): Promise<CheckedForm> {
  const project = await projectOf(context, given);
  demandValid(context, []);
  const { db, user } = context;
  const allowedTypes = project
    ? await context.loaders.projectTypes.load(project.id)
    : await visible.types(user, db.read).orderBy('position').orderBy('id');
  const named = validateName('WorkPackage', subject);
  const detailed = await validateDetails(context, project?.id, details, true);
  // A type of another project stays in the form, so that the person sees what is wrong.
  const foreign = detailed.violations.some(({ message }) => message === TYPE_NOT_ALLOWED);
  return {
    subject: typeof subject === 'string' ? subject : '',
    project,
    columns: { ...detailed.columns, ...(foreign && { typeId: details.type?.id }) },
    violations: [
      ...named.violations,
      ...(project ? [] : [{ attribute: 'project', message: "Project can't be blank." }]),
      ...detailed.violations,
    ],
    allowedTypes,
    allowedStatuses: await visible.statuses(user, db.read).orderBy('position').orderBy('id'),
  };
}

async function projectOf(
  context: Context,
  given: FormInput['project'],
): Promise<Project | undefined> {
  if (given)
    return demand(await find.project(context, given.id), ({ id }) =>
      can.create(context, 'WorkPackage', id),
    );
  if (!(await can.createWorkPackagesAnywhere(context))) throw new MissingPermission();
  return undefined;
}
