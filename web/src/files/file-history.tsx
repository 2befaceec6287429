/** What happened to one file, as the history of its work package tells it. */
import { useQuery } from '@tanstack/react-query';
import { FileHistoryDocument, type FileHistoryQuery } from '../generated/documents';
import { moorage } from '../service';
import { Time } from '../shell/time';
import { sentenceOf } from '../work-package/lines';
import { say } from '../words';

type Entries = NonNullable<FileHistoryQuery['workPackage']>['activities']['nodes'];
type File = { databaseId: number; fileName: string; createdAt: string };

function changesOf(file: File, entries: Entries) {
  let name = file.fileName;
  return entries.toReversed().flatMap(({ id, createdAt, author, changes }) =>
    changes.toReversed().flatMap((change, number) => {
      // Entries of earlier versions know files by their names, so the present name is followed back.
      const isOfName =
        change.fileName === name &&
        createdAt >= file.createdAt &&
        !change.action.startsWith('FILE_LINK');
      const { attachmentDatabaseId } = change;
      if (attachmentDatabaseId === null ? !isOfName : attachmentDatabaseId !== file.databaseId)
        return [];
      name = change.formerName ?? name;
      const { action } = change;
      const line = { key: `${id} ${number}`, author: author.name, createdAt };
      return [{ ...line, action, changes: [change] }];
    }),
  );
}

export function FileHistory({ file, workPackageId }: { file: File; workPackageId: string }) {
  const { data } = useQuery({
    queryKey: ['history', workPackageId, 'changes'],
    queryFn: ({ signal }) => moorage.query(FileHistoryDocument, { id: workPackageId }, { signal }),
  });
  const lines = changesOf(file, data?.workPackage?.activities.nodes ?? []);
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="file-history">
      <h4 id="file-history">{say('details.history')}</h4>
      <ol className="file-history">
        {lines.map((line) => (
          <li key={line.key}>
            <b>
              <bdi>{line.author}</bdi>
            </b>{' '}
            {sentenceOf(line)} <Time of={line.createdAt} />
          </li>
        ))}
      </ol>
    </section>
  );
}
