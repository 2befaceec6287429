/** Validates the details of a work package: description, status, type and people. */
import type { Context } from '../../../context.js';
import type { Violation } from '../../../contract/errors.js';
import { MAX_WORK_PACKAGE_DESCRIPTION } from '../../../contract/limits.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';
import { capitalised } from '../../../contract/words.js';
import { Membership } from '../../../models/membership.js';
import { Status } from '../../../models/status.js';
import { Type } from '../../../models/type.js';
import { User } from '../../../models/user.js';
import type { WorkPackage } from '../../../models/work-package.js';

/** An id in the input: null means none, `id` is undefined if it is no id. */
type GivenId = { id: number | undefined } | null;

/** Absent members stay unchanged. In a new work package they get their defaults. */
export interface Details {
  description?: unknown;
  status?: GivenId | undefined;
  type?: GivenId | undefined;
  assignee?: GivenId | undefined;
  responsible?: GivenId | undefined;
}

export type DetailColumns = Partial<
  Pick<WorkPackage, 'descriptionText' | 'statusId' | 'typeId' | 'assigneeId' | 'responsibleId'>
>;

interface ValidDetails {
  columns: DetailColumns;
  violations: Violation[];
}

/**
 * @param projectId undefined while no project is chosen
 * @param isNew whether the work package is new: then it also gets a status and a type
 */
export async function validateDetails(
  context: Context,
  projectId: number | undefined,
  { description, status, type, assignee, responsible }: Details,
  isNew: boolean,
): Promise<ValidDetails> {
  const parts = [
    validateDescription(description),
    await validateStatus(context, status, isNew),
    await validateType(context, projectId, type, isNew),
    await validatePerson(context, projectId, 'assignee', assignee),
    await validatePerson(context, projectId, 'responsible', responsible),
  ];
  return {
    columns: Object.assign({}, ...parts.map(({ columns }) => columns)) as DetailColumns,
    violations: parts.flatMap(({ violations }) => violations),
  };
}

export const TYPE_NOT_ALLOWED = 'Type is not set to one of the allowed values.';

const valid = (columns: DetailColumns = {}): ValidDetails => ({ columns, violations: [] });
const reject = (attribute: string, message: string): ValidDetails => ({
  columns: {},
  violations: [{ attribute, message }],
});

function validateDescription(text: unknown): ValidDetails {
  if (text === undefined) return valid();
  if (text === null) return valid({ descriptionText: '' });
  if (typeof text !== 'string')
    return reject('description', 'Description must be a string or an object with a "raw" string.');
  if (isLonger(text, MAX_WORK_PACKAGE_DESCRIPTION))
    return reject(
      'description',
      `Description is too long (maximum is ${MAX_WORK_PACKAGE_DESCRIPTION} characters).`,
    );
  return isStorableText(text)
    ? valid({ descriptionText: text })
    : reject('description', 'Description must not contain NUL or broken characters.');
}

async function validateStatus(
  { db }: Context,
  given: GivenId | undefined,
  isNew: boolean,
): Promise<ValidDetails> {
  if (!given && isNew) {
    const first = await Status.query(db.read)
      .orderBy('is_default', 'desc')
      .orderBy('position')
      .first();
    return first ? valid({ statusId: first.id }) : reject('status', "Status can't be blank.");
  }
  if (given === undefined) return valid();
  if (given === null) return reject('status', "Status can't be blank.");
  const found = given.id !== undefined && (await Status.query(db.read).findById(given.id));
  return found ? valid({ statusId: found.id }) : reject('status', 'Status does not exist.');
}

async function validateType(
  context: Context,
  projectId: number | undefined,
  given: GivenId | undefined,
  isNew: boolean,
): Promise<ValidDetails> {
  if (projectId === undefined) return validateTypeAlone(context, given);
  if (!given && !isNew) return given === null ? reject('type', "Type can't be blank.") : valid();
  const allowed = await context.loaders.projectTypes.load(projectId);
  if (!given) {
    const first = allowed.find(({ isDefault }) => isDefault) ?? allowed[0];
    return first ? valid({ typeId: first.id }) : reject('type', "Type can't be blank.");
  }
  if (allowed.some(({ id }) => id === given.id)) return valid({ typeId: given.id as number });
  const exists =
    given.id !== undefined && (await Type.query(context.db.read).findById(given.id)) !== undefined;
  return reject('type', exists ? TYPE_NOT_ALLOWED : 'Type does not exist.');
}

async function validateTypeAlone(
  { db }: Context,
  given: GivenId | undefined,
): Promise<ValidDetails> {
  if (!given) return reject('type', "Type can't be blank.");
  const found = given.id !== undefined && (await Type.query(db.read).findById(given.id));
  return found ? valid({ typeId: found.id }) : reject('type', 'Type does not exist.');
}

/** A person of a work package must be an active member of its project. */
async function validatePerson(
  { db }: Context,
  projectId: number | undefined,
  attribute: 'assignee' | 'responsible',
  given: GivenId | undefined,
): Promise<ValidDetails> {
  if (given === undefined) return valid();
  if (given === null) return valid({ [`${attribute}Id`]: null });
  const name = capitalised(attribute);
  const user = given.id === undefined ? undefined : await User.query(db.read).findById(given.id);
  if (!user) return reject(attribute, `${name} does not exist.`);
  const member =
    projectId === undefined ||
    (await Membership.query(db.read).findOne({ user_id: user.id, project_id: projectId }));
  return member && user.status === 'active'
    ? valid({ [`${attribute}Id`]: user.id })
    : reject(attribute, `The chosen user is not allowed to be '${name}' for this work package.`);
}
