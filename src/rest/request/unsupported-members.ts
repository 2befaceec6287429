/** Members of work packages that the interface has elsewhere, and this service has not. */
import type { Violation } from '../../contract/errors.js';
import { labelOf, linksIn, type Body, type JsonObject } from './body-members.js';
import { targetless } from './file-link-inputs.js';

const UNSUPPORTED = new Set([
  'budget',
  'category',
  'date',
  'dueDate',
  'duration',
  'estimatedTime',
  'ignoreNonWorkingDays',
  'parent',
  'percentageDone',
  'position',
  'priority',
  'projectPhase',
  'remainingTime',
  'scheduleManually',
  'sprint',
  'startDate',
  'storyPoints',
  'targetVersion',
  'version',
]);

const isUnsupported = (name: string) => UNSUPPORTED.has(name) || /^customField\d+$/.test(name);

/** Whether a member asks for nothing: so does a work package that has no such member. */
const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  targetless(value);

/** A violation for each of them that has a value. All other unknown members are ignored. */
export const unsupportedMembers = ({ members }: Body): Violation[] =>
  [...valuesIn(members), ...valuesIn(linksIn(members))].map((name) => ({
    attribute: name,
    message: `${labelOf(name)} is not supported.`,
  }));

const valuesIn = (members: JsonObject): string[] =>
  Object.entries(members).flatMap(([name, value]) =>
    isUnsupported(name) && !isEmpty(value) ? [name] : [],
  );
