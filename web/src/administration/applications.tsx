/** Programs that sign in with this service. */
import { Link } from '@tanstack/react-router';
import { PAGE, Paged, usePaged } from '../find/paged';
import { askAgain, moorage } from '../service';
import { Blank } from '../shell/failure';
import { Icon } from '../shell/icon';
import { tell } from '../shell/messages';
import { Time } from '../shell/time';
import { say } from '../words';
import { useQuestion } from './confirm';
import { Frame } from './frame';
import { DeleteOAuthApplicationDocument, OAuthApplicationsDocument } from './generated/documents';

export function Applications() {
  const list = usePaged(
    ['administration', 'applications'],
    async (after, signal) =>
      (await moorage.query(OAuthApplicationsDocument, { first: PAGE, after }, { signal }))
        .oauthApplications,
  );
  const { ask, asked } = useQuestion();
  const remove = ({ id, name }: { id: string; name: string }): void =>
    ask({
      title: say('applications.deleteTitle', { name }),
      text: say('applications.deleteSays'),
      act: say('files.delete'),
      run: async () => {
        await moorage.mutate(DeleteOAuthApplicationDocument, { input: { id } });
        tell(say('applications.deleted', { name }));
        await askAgain(['administration', 'applications']);
      },
    });
  return (
    <Frame
      title={say('applications.title')}
      count={list.total}
      facts={<span>{say('applications.says')}</span>}
      actions={
        <Link className="button main" to="/administration/applications/new">
          <Icon name="plus" />
          {say('applications.add')}
        </Link>
      }
    >
      <Paged list={list} empty={<Blank icon="key" title={say('applications.none')} />}>
        {(rows) => (
          <table className="file-table admin-table" aria-label={say('applications.title')}>
            <thead>
              <tr>
                <th scope="col">{say('table.name')}</th>
                <th scope="col">{say('exchange.ourId')}</th>
                <th scope="col">{say('applications.storage')}</th>
                <th scope="col">{say('table.since')}</th>
                <th scope="col" aria-label={say('files.delete')} />
              </tr>
            </thead>
            <tbody>
              {rows.map((application) => (
                <tr key={application.id}>
                  <th scope="row" className="named">
                    <div>
                      <div>
                        <bdi>{application.name}</bdi>
                        <p className="small soft" dir="ltr">
                          {application.redirectUris.join(', ')}
                        </p>
                      </div>
                    </div>
                  </th>
                  <td className="where">
                    <code>{application.clientId}</code>
                  </td>
                  <td>
                    {application.integration ? (
                      <Link
                        to="/administration/storages/$id"
                        params={{ id: String(application.integration.databaseId) }}
                      >
                        <bdi>{application.integration.name}</bdi>
                      </Link>
                    ) : (
                      '–'
                    )}
                  </td>
                  <td className="added">
                    <Time of={application.createdAt} />
                  </td>
                  <td className="end">
                    {/* That of a storage goes with the storage. */}
                    {!application.integration && (
                      <button
                        type="button"
                        className="button quiet"
                        onClick={() => remove(application)}
                      >
                        {say('files.delete')}
                        <span className="unseen">: {application.name}</span>
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
      {asked}
    </Frame>
  );
}
