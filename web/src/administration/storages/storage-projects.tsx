/** The projects that use a storage, with the mode and the state of their folders. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PAGE, Paged, usePaged } from '../../find/paged';
import { moorage } from '../../service';
import { Icon } from '../../shell/icon';
import { tell } from '../../shell/messages';
import { Time } from '../../shell/time';
import { say } from '../../words';
import { useQuestion } from '../confirm';
import { Finder } from '../finder';
import { Choice, Field, Form, textsOf } from '../form';
import {
  AddProjectStorageDocument,
  FindProjectsDocument,
  RemoveProjectStorageDocument,
  StorageProjectsDocument,
  type ProjectFolderMode,
  type StorageProjectsQuery,
  type StorageSettingsFragment,
} from '../generated/documents';

type Row = NonNullable<StorageProjectsQuery['storage']>['projectStorages']['nodes'][number];

export function StorageProjects({
  storage,
  refresh,
}: {
  storage: StorageSettingsFragment;
  refresh: () => Promise<void>;
}) {
  const id = String(storage.databaseId);
  const { ask, asked } = useQuestion();
  const list = usePaged(
    ['administration', 'storage', id, 'projects'],
    async (after, signal) =>
      (await moorage.query(StorageProjectsDocument, { id, first: PAGE, after }, { signal })).storage
        ?.projectStorages,
  );
  const remove = (row: Row): void =>
    ask({
      title: say('uses.removeTitle', { project: row.project.name }),
      text: say('uses.removeSays'),
      act: say('uses.remove'),
      run: async () => {
        await moorage.mutate(RemoveProjectStorageDocument, { input: { id: row.id } });
        tell(say('uses.removed', { project: row.project.name }));
        await refresh();
      },
    });
  return (
    <>
      <h3>{say('uses.title')}</h3>
      <Paged list={list} empty={<p className="small soft">{say('uses.none')}</p>}>
        {(rows) => (
          <table className="file-table admin-table" aria-label={say('uses.title')}>
            <thead>
              <tr>
                <th scope="col">{say('filters.project')}</th>
                <th scope="col">{say('uses.folder')}</th>
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
                      <Link
                        to="/projects/$identifier/storages"
                        params={{ identifier: row.project.identifier }}
                      >
                        <bdi>{row.project.name}</bdi>
                      </Link>
                    </div>
                  </th>
                  <td>
                    <FolderState row={row} />
                  </td>
                  <td className="end">
                    <button type="button" className="button quiet" onClick={() => remove(row)}>
                      {say('uses.remove')}
                      <span className="unseen">: {row.project.name}</span>
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
      {storage.configured && <Add storage={storage} refresh={refresh} />}
      {asked}
    </>
  );
}

function FolderState({ row }: { row: Row }) {
  const { projectFolderMode: mode, projectFolderState: state } = row;
  if (mode !== 'AUTOMATIC') return say(`mode.${mode}`);
  const isBad = state === 'FAILED';
  return (
    <>
      <span className={`state ${isBad ? 'bad' : state === 'READY' ? 'good' : ''}`}>
        <Icon name={isBad ? 'stop' : state === 'READY' ? 'check' : 'clock'} />
        {say(`folder.${state}`)}
      </span>
      {row.projectFolderUpdatedAt && (
        <span className="small soft">
          {' '}
          <Time of={row.projectFolderUpdatedAt} />
        </span>
      )}
      {row.projectFolderMessage && (
        <p className="small" lang="en" dir="auto">
          {row.projectFolderMessage}
        </p>
      )}
    </>
  );
}

function Add({
  storage,
  refresh,
}: {
  storage: StorageSettingsFragment;
  refresh: () => Promise<void>;
}) {
  const [mode, setMode] = useState('INACTIVE');
  const managesFolders = storage.hasApplicationPassword ?? storage.automaticallyManagedFolders;
  const modes = ['INACTIVE', ...(managesFolders ? ['AUTOMATIC'] : []), 'MANUAL'] as const;
  return (
    <Form
      label={say('uses.add')}
      submit={say('uses.add')}
      onSubmit={async (form) => {
        const { projectId = '', projectFolderMode, projectFolderId } = textsOf(form);
        const input = {
          storageId: storage.id,
          projectId,
          projectFolderMode: projectFolderMode as ProjectFolderMode,
          projectFolderId,
        };
        await moorage.mutate(AddProjectStorageDocument, { input });
        tell(say('admin.saved'));
        await refresh();
        return undefined;
      }}
    >
      <Finder
        name="projectId"
        label={say('filters.project')}
        search={async (search) =>
          (await moorage.query(FindProjectsDocument, { search: search || undefined })).projects
            .nodes
        }
      />
      <div className="form-2">
        <Choice
          name="projectFolderMode"
          label={say('uses.folder')}
          options={modes.map((value) => ({ value, label: say(`mode.${value as 'MANUAL'}`) }))}
          onChange={setMode}
        />
        {mode === 'MANUAL' && (
          <Field
            name="projectFolderId"
            label={say('uses.folderId')}
            hint={say('uses.folderIdHint')}
          />
        )}
      </div>
    </Form>
  );
}
