/** Lists the people who can be the assignee of a work package in a project. */
import type { Context } from '../../../context.js';
import { InvalidQuery, MissingPermission } from '../../../contract/errors.js';
import { User } from '../../../models/user.js';
import { can } from '../../../policies/can.js';

/** Such a list has no pages. */
const MOST = 10_000;

/** @throws MissingPermission if the caller may not create work packages in the project */
export async function listAvailableAssignees(context: Context, projectId: number): Promise<User[]> {
  if (!(await can.create(context, 'WorkPackage', projectId))) throw new MissingPermission();
  await context.largeAnswer();
  const people = await User.query(context.db.read)
    .join('memberships', 'memberships.user_id', 'users.id')
    .where({ 'memberships.project_id': projectId, 'users.status': 'active' })
    .select('users.*')
    .orderBy('users.search_text')
    .orderBy('users.id')
    .limit(MOST + 1);
  if (people.length > MOST)
    throw new InvalidQuery('The project has more than 10,000 members. Search for people instead.');
  return people;
}
