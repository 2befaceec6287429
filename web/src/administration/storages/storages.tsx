/** All storages: how each stands, who is connected, and how many projects use it. */
import { Link } from '@tanstack/react-router';
import { PAGE, Paged, usePaged } from '../../find/paged';
import { answers, moorage } from '../../service';
import { Icon } from '../../shell/icon';
import { Blank } from '../../shell/failure';
import { say } from '../../words';
import { Frame } from '../frame';
import { AdministeredStoragesDocument } from '../generated/documents';
import { StorageState } from './state';

export function Storages() {
  const list = usePaged(
    ['administration', 'storages'],
    async (after, signal) =>
      (await moorage.query(AdministeredStoragesDocument, { first: PAGE, after }, { signal }))
        .storages,
  );
  const add = (
    <Link className="button main" to="/administration/storages/new">
      <Icon name="plus" />
      {say('storages.add')}
    </Link>
  );
  return (
    <Frame
      title={say('admin.storages')}
      count={list.total}
      actions={
        <>
          {list.rows.length > 0 && (
            <button
              type="button"
              className="button"
              onClick={() =>
                void answers.invalidateQueries({
                  predicate: ({ queryKey }) =>
                    queryKey[1] === 'storage' && queryKey[3] === 'health',
                })
              }
            >
              <Icon name="again" />
              {say('storages.checkAll')}
            </button>
          )}
          {add}
        </>
      }
    >
      <Paged
        list={list}
        empty={
          <Blank icon="cloud" title={say('storages.none')}>
            <p>{say('storages.noneYet')}</p>
            {add}
          </Blank>
        }
      >
        {(rows) => (
          <table className="file-table admin-table" aria-label={say('admin.storages')}>
            <thead>
              <tr>
                <th scope="col">{say('table.name')}</th>
                <th scope="col">{say('health.title')}</th>
                <th scope="col">{say('storages.connected')}</th>
                <th scope="col">{say('storages.usedBy')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((storage) => (
                <tr key={storage.id}>
                  <th scope="row" className="named">
                    <div>
                      <span className="kind kind-folder">
                        <Icon name={storage.type === 'CLOUD_DRIVE' ? 'cloud' : 'server'} />
                      </span>
                      <div>
                        <Link
                          to="/administration/storages/$id"
                          params={{ id: String(storage.databaseId) }}
                        >
                          <bdi>{storage.name}</bdi>
                        </Link>
                        <p className="small soft">
                          {say(`storageType.${storage.type}`)}
                          {storage.origin && (
                            <>
                              {', '}
                              <bdi>{new URL(storage.origin).host}</bdi>
                            </>
                          )}
                        </p>
                      </div>
                    </div>
                  </th>
                  <td>
                    <StorageState id={String(storage.databaseId)} configured={storage.configured} />
                  </td>
                  <td>
                    {storage.connections.totalCount > 0
                      ? say('storages.people', { count: storage.connections.totalCount })
                      : say('storages.nobody')}
                  </td>
                  <td>
                    {storage.projectStorages.totalCount > 0
                      ? say('storages.projects', { count: storage.projectStorages.totalCount })
                      : say('storages.noProject')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
    </Frame>
  );
}
