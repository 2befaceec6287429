/** Who belongs to which project with which roles, from the side of a person and of a project. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PAGE, Paged, usePaged } from '../../find/paged';
import { askAgain, moorage } from '../../service';
import { tell } from '../../shell/messages';
import { say } from '../../words';
import { listed } from '../../words/formats';
import { useQuestion } from '../confirm';
import { Finder } from '../finder';
import { CheckList, Form } from '../form';
import {
  AdministeredMembersDocument,
  FindPeopleDocument,
  FindProjectsDocument,
  PersonMembershipsDocument,
  RemoveMembershipDocument,
  RolesDocument,
  SetMembershipDocument,
} from '../generated/documents';

interface Named {
  id: string;
  name: string;
}
interface Row {
  id: string;
  /** The project, or the person. */
  other: Named & { databaseId: number };
  roles: readonly Named[];
}

interface Side {
  title: string;
  none: string;
  column: string;
  to: '/administration/projects/$id' | '/administration/people/$id';
  list: ReturnType<typeof usePaged<Row>>;
  /** The pair that a mutation names. */
  pair: (otherId: string) => { projectId: string; userId: string };
  find: { label: string; search: (text: string) => Promise<readonly Named[]> };
  removeTitle: (name: string) => string;
}

export function MembershipsOfPerson({ id, person }: { id: string; person: Named }) {
  const list = usePaged(['administration', 'memberships', 'person', id], async (after, signal) => {
    const variables = { id, first: PAGE, after };
    const found = await moorage.query(PersonMembershipsDocument, variables, { signal });
    const memberships = found.user?.memberships;
    return (
      memberships && {
        ...memberships,
        nodes: memberships.nodes.map(({ project, ...row }) => ({ ...row, other: project })),
      }
    );
  });
  return (
    <Memberships
      title={say('app.projects')}
      none={say('members.noProject')}
      column={say('filters.project')}
      to="/administration/projects/$id"
      list={list}
      pair={(projectId) => ({ projectId, userId: person.id })}
      find={{
        label: say('filters.project'),
        search: async (search) =>
          (await moorage.query(FindProjectsDocument, { search: search || undefined })).projects
            .nodes,
      }}
      removeTitle={(project) => say('members.removeTitle', { name: person.name, project })}
    />
  );
}

export function MembersOfProject({ id, project }: { id: string; project: Named }) {
  const list = usePaged(['administration', 'memberships', 'project', id], async (after, signal) => {
    const variables = { id, first: PAGE, after };
    const found = await moorage.query(AdministeredMembersDocument, variables, { signal });
    const members = found.project?.memberships;
    return (
      members && {
        ...members,
        nodes: members.nodes.map(({ user, ...row }) => ({ ...row, other: user })),
      }
    );
  });
  return (
    <Memberships
      title={say('project.members')}
      none={say('members.nobody')}
      column={say('people.person')}
      to="/administration/people/$id"
      list={list}
      pair={(userId) => ({ projectId: project.id, userId })}
      find={{
        label: say('people.person'),
        search: async (search) =>
          (await moorage.query(FindPeopleDocument, { search: search || undefined })).users.nodes,
      }}
      removeTitle={(name) => say('members.removeTitle', { name, project: project.name })}
    />
  );
}

function Memberships({ title, none, column, to, list, pair, find, removeTitle }: Side) {
  const { ask, asked } = useQuestion();
  const [edited, setEdited] = useState<Row>();
  const roles = useQuery({
    queryKey: ['administration', 'roles'],
    queryFn: async ({ signal }) => (await moorage.query(RolesDocument, {}, { signal })).roles,
  });
  const refresh = (): Promise<void> => askAgain(['administration', 'memberships']);
  const remove = (row: Row): void =>
    ask({
      title: removeTitle(row.other.name),
      text: say('members.removeSays'),
      act: say('uses.remove'),
      run: async () => {
        await moorage.mutate(RemoveMembershipDocument, { input: pair(row.other.id) });
        tell(say('admin.saved'));
        await refresh();
      },
    });
  return (
    <section className="panel admin-form" aria-label={title}>
      <h2>
        {title} <span className="count">{list.total}</span>
      </h2>
      <Paged list={list} empty={<p className="soft">{none}</p>}>
        {(rows) => (
          <table className="file-table admin-table" aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{column}</th>
                <th scope="col">{say('table.roles')}</th>
                <th scope="col">
                  <span className="unseen">{say('files.menu')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row" className="named">
                    <div>
                      <Link to={to} params={{ id: String(row.other.databaseId) }}>
                        <bdi>{row.other.name}</bdi>
                      </Link>
                    </div>
                  </th>
                  <td className="where">{listed(row.roles.map(({ name }) => name))}</td>
                  <td className="end">
                    <button type="button" className="button quiet" onClick={() => setEdited(row)}>
                      {say('members.change')}
                      <span className="unseen">: {row.other.name}</span>
                    </button>
                    <button type="button" className="button quiet" onClick={() => remove(row)}>
                      {say('uses.remove')}
                      <span className="unseen">: {row.other.name}</span>
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
      <Form
        key={edited?.id}
        label={say('members.set')}
        submit={say('admin.save')}
        beside={
          edited && (
            <button type="button" className="button" onClick={() => setEdited(undefined)}>
              {say('app.cancel')}
            </button>
          )
        }
        onSubmit={async (form) => {
          const other = form.get('other');
          const input = {
            ...pair(typeof other === 'string' ? other : ''),
            roleIds: form.getAll('roleIds').filter((id) => typeof id === 'string'),
          };
          await moorage.mutate(SetMembershipDocument, { input });
          tell(say('admin.saved'));
          setEdited(undefined);
          await refresh();
          return undefined;
        }}
      >
        <h3>
          {edited ? say('members.changeOf', { name: edited.other.name }) : say('members.set')}
        </h3>
        {edited ? (
          <input type="hidden" name="other" value={edited.other.id} />
        ) : (
          <Finder name="other" label={find.label} search={find.search} />
        )}
        <CheckList
          name="roleIds"
          label={say('table.roles')}
          options={(roles.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          checked={edited?.roles.map(({ id }) => id) ?? []}
          focus={edited !== undefined}
        />
      </Form>
      {asked}
    </section>
  );
}
