/** What a work package prints of its neighbours. */

/** Ids of the people whom it names. */
export const peopleOf = ({ author_id, assignee_id, responsible_id }) =>
  [author_id, assignee_id, responsible_id].filter((id) => id !== null);

/** Its project, type and status. */
export async function nearOf(db, { project_id, type_id, status_id }) {
  const [[project], [type], [status]] = await Promise.all([
    db.ids('projects', [project_id]),
    db.ids('types', [type_id]),
    db.ids('statuses', [status_id]),
  ]);
  return { project, type, status };
}

export const withPeople = ({ author_id, assignee_id, responsible_id }, near, users) => ({
  ...near,
  author: users.get(author_id),
  assignee: users.get(assignee_id),
  responsible: users.get(responsible_id),
});
