/** The roles that members of projects can have, and the two that count in public projects. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { moorage } from '../service';
import { Failure, Loading } from '../shell/failure';
import { Icon } from '../shell/icon';
import { numeral, say, type WordKey } from '../words';
import { Frame } from './frame';
import { AdministeredRolesDocument, type AdministeredRolesQuery } from './generated/documents';

type Role = AdministeredRolesQuery['roles'][number];

export const administeredRoles = queryOptions({
  queryKey: ['administration', 'roles', 'permissions'],
  queryFn: ({ signal }) => moorage.query(AdministeredRolesDocument, {}, { signal }),
});

export function Roles() {
  const query = useQuery(administeredRoles);
  return (
    <Frame
      title={say('table.roles')}
      count={query.data && numeral(query.data.roles.length)}
      facts={<span>{say('roles.says')}</span>}
      actions={
        <Link className="button main" to="/administration/roles/new">
          <Icon name="plus" />
          {say('roles.add')}
        </Link>
      }
    >
      {query.isPending ? (
        <Loading />
      ) : query.isError ? (
        <Failure error={query.error} again={() => void query.refetch()} />
      ) : (
        <>
          <List label="roles.ofMembers" roles={query.data.roles} />
          <List label="roles.public" roles={query.data.publicRoles} />
        </>
      )}
    </Frame>
  );
}

function List({ label, roles }: { label: WordKey; roles: readonly Role[] }) {
  return (
    <section className="zone" aria-labelledby={label}>
      <h2 id={label}>{say(label)}</h2>
      {roles.length === 0 && <p className="soft">{say('roles.none')}</p>}
      <ul className="access">
        {roles.map(({ id, databaseId, name, permissions }) => (
          <li key={id}>
            <Link to="/administration/roles/$id" params={{ id: String(databaseId) }}>
              <bdi>{name}</bdi>
            </Link>
            <span className="small soft">
              {say('roles.count', { count: permissions?.length ?? 0 })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
