/** The people of a project, with their roles there. */
import { MoorageError } from 'moorage-client';
import { ProjectMembersDocument } from '../generated/documents';
import { moorage } from '../service';
import { Blank } from '../shell/failure';
import { Time } from '../shell/time';
import { say } from '../words';
import { listed } from '../words/formats';
import { PAGE, Paged, usePaged } from './paged';

export function Members({ identifier }: { identifier: string }) {
  const list = usePaged(['members', identifier], async (after, signal) => {
    const variables = { identifier, first: PAGE, after };
    return (await moorage.query(ProjectMembersDocument, variables, { signal })).project
      ?.memberships;
  });
  const { error } = list.query;
  if (error instanceof MoorageError && error.status === 403)
    return (
      <Blank icon="lock" title={say('project.mayNotView')}>
        <p>{say('project.membersOnly')}</p>
      </Blank>
    );
  return (
    <section>
      <div className="head">
        <h2>
          {say('project.members')} <span className="count">{list.total}</span>
        </h2>
      </div>
      <Paged list={list} empty={<Blank icon="folder" title={say('project.none')} />}>
        {(rows) => (
          <table className="file-table" aria-label={say('project.members')}>
            <thead>
              <tr>
                <th scope="col">{say('table.name')}</th>
                <th scope="col" className="where">
                  {say('table.roles')}
                </th>
                <th scope="col" className="added">
                  {say('table.since')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, user, roles, createdAt }) => (
                <tr key={id}>
                  <th scope="row" className="named">
                    <div>
                      <span className="face" aria-hidden="true">
                        {user.name.slice(0, 1)}
                      </span>
                      <bdi>{user.name}</bdi>
                    </div>
                  </th>
                  <td className="where">{listed(roles.map(({ name }) => name))}</td>
                  <td className="added">
                    <Time of={createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
    </section>
  );
}
