/** Files in which a virus was found: an administrator releases or deletes them. */
import { useQuery } from '@tanstack/react-query';
import { MoorageError } from 'moorage-client';
import { useState } from 'react';
import { allPages, askAgain, moorage } from '../service';
import { Blank, Failure, Loading } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { Icon } from '../shell/icon';
import { tell } from '../shell/messages';
import { Time } from '../shell/time';
import { numeral, say } from '../words';
import { size } from '../words/formats';
import { visible } from '../words/names';
import { useQuestion } from './confirm';
import { Frame } from './frame';
import {
  DeleteQuarantinedDocument,
  QuarantineDocument,
  ReleaseFileDocument,
  type QuarantineQuery,
} from './generated/documents';

/** Rows that the page draws. Others are found by their name. */
const SHOWN = 200;
const KEY = ['administration', 'quarantine'];

type Held = QuarantineQuery['quarantinedAttachments']['nodes'][number];

export function Quarantine() {
  const [search, setSearch] = useState('');
  const { ask, asked } = useQuestion();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      allPages(
        async (after) =>
          (await moorage.query(QuarantineDocument, { first: SHOWN, after }, { signal }))
            .quarantinedAttachments,
      ),
  });
  const words = search.trim().toLowerCase();
  const found = (query.data ?? []).filter(({ fileName, author }) =>
    `${fileName} ${author.name}`.toLowerCase().includes(words),
  );

  /** Somebody else may have been faster. */
  async function end(file: Held, run: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await run();
      tell(done);
    } catch (error) {
      const isGone =
        error instanceof MoorageError && (error.status === 404 || error.status === 422);
      if (!isGone) throw error;
      tell(say('quarantine.goneMeanwhile', { name: file.fileName }));
    }
    await askAgain(KEY);
  }
  const input = (file: Held) => ({ input: { id: file.id } });
  const release = (file: Held): void =>
    ask({
      title: say('quarantine.releaseTitle', { name: file.fileName }),
      text: say('quarantine.releaseSays'),
      act: say('quarantine.release'),
      run: () =>
        end(
          file,
          () => moorage.mutate(ReleaseFileDocument, input(file)),
          say('quarantine.released', { name: file.fileName }),
        ),
    });
  const remove = (file: Held): void =>
    ask({
      title: say('quarantine.deleteTitle', { name: file.fileName }),
      text: say('quarantine.deleteSays'),
      act: say('files.delete'),
      run: () =>
        end(
          file,
          () => moorage.mutate(DeleteQuarantinedDocument, input(file)),
          say('quarantine.deleted', { name: file.fileName }),
        ),
    });
  return (
    <Frame
      title={say('quarantine.title')}
      count={query.data && numeral(query.data.length)}
      facts={<span>{say('quarantine.says')}</span>}
    >
      {query.isPending ? (
        <Loading />
      ) : query.isError ? (
        <Failure error={query.error} again={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <Blank icon="shield" title={say('quarantine.none')} />
      ) : (
        <>
          <div className="row">
            <FilterField label="quarantine.find" value={search} onChange={setSearch} />
          </div>
          {found.length === 0 && <p>{say('search.none', { search })}</p>}
          {found.length > SHOWN && (
            <p className="small soft" role="status">
              {say('folder.showing', { shown: SHOWN, count: found.length })}
            </p>
          )}
          {found.length > 0 && (
            <table className="file-table admin-table" aria-label={say('quarantine.title')}>
              <thead>
                <tr>
                  <th scope="col">{say('table.name')}</th>
                  <th scope="col">{say('files.addedBy')}</th>
                  <th scope="col">{say('table.where')}</th>
                  <th scope="col">{say('table.added')}</th>
                  <th scope="col">
                    <span className="unseen">{say('files.menu')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {found.slice(0, SHOWN).map((file) => (
                  <tr key={file.id}>
                    <th scope="row" className="named">
                      <div>
                        <div>
                          <bdi>{visible(file.fileName)}</bdi>
                          <p className="small soft">{size(file.fileSize)}</p>
                        </div>
                      </div>
                    </th>
                    <td>
                      <bdi>{file.author.name}</bdi>
                    </td>
                    <td className="where">
                      <Where file={file} />
                    </td>
                    <td className="added">
                      <Time of={file.createdAt} />
                    </td>
                    <td className="end">
                      <button type="button" className="button quiet" onClick={() => release(file)}>
                        {say('quarantine.release')}
                        <span className="unseen">: {file.fileName}</span>
                      </button>
                      <button type="button" className="button danger" onClick={() => remove(file)}>
                        <Icon name="bin" />
                        {say('files.delete')}
                        <span className="unseen">: {file.fileName}</span>
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
      {asked}
    </Frame>
  );
}

const folders: { readonly [kind: string]: string } = {
  WorkPackage: 'work_packages',
  Meeting: 'meetings',
  Post: 'posts',
  WikiPage: 'wiki_pages',
};

function Where({ file: { container } }: { file: Held }) {
  if (!container) return say('quarantine.nowhere');
  if (container.__typename === 'Activity')
    return (
      <a href={`/work_packages/${container.workPackage.databaseId}`}>
        <bdi>{container.workPackage.title}</bdi>
      </a>
    );
  if (!('title' in container)) return null;
  return (
    <a href={`/${folders[container.__typename] ?? ''}/${container.databaseId}`}>
      <bdi>{container.title}</bdi>
    </a>
  );
}
