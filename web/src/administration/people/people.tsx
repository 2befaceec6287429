/** All people, found by name or login. */
import { Link } from '@tanstack/react-router';
import { moorage } from '../../service';
import { Blank } from '../../shell/failure';
import { Icon } from '../../shell/icon';
import { say } from '../../words';
import { AdministeredPeopleDocument } from '../generated/documents';
import { SearchedList } from '../searched-list';

export function People() {
  return (
    <SearchedList
      list="people"
      title="people.title"
      add="people.add"
      find="people.find"
      focus
      load={async (variables, signal) =>
        (await moorage.query(AdministeredPeopleDocument, variables, { signal })).users
      }
      empty={(search) => <Blank icon="search" title={say('search.none', { search })} />}
      columns={['table.name', 'session.login', 'people.state']}
    >
      {(person) => (
        <>
          <th scope="row" className="named">
            <div>
              <span className="face" aria-hidden="true">
                {person.name.slice(0, 1)}
              </span>
              <div>
                <Link to="/administration/people/$id" params={{ id: String(person.databaseId) }}>
                  <bdi>{person.erasedAt ? say('people.deletedUser') : person.name}</bdi>
                </Link>
                <p className="small soft">
                  <bdi>{person.email}</bdi>
                </p>
              </div>
            </div>
          </th>
          <td className="where">
            <bdi>{person.erasedAt ? '–' : person.login}</bdi>
          </td>
          <td>{!person.erasedAt && <PersonState admin={person.admin} status={person.status} />}</td>
        </>
      )}
    </SearchedList>
  );
}

export function PersonState({ admin, status }: { admin: boolean; status: 'ACTIVE' | 'LOCKED' }) {
  if (status === 'LOCKED')
    return (
      <span className="state bad">
        <Icon name="lock" />
        {say('people.LOCKED')}
      </span>
    );
  return (
    <span className="state">
      {admin && <Icon name="shield" />}
      {say(admin ? 'people.administrator' : 'people.ACTIVE')}
    </span>
  );
}
