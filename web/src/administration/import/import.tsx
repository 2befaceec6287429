/** The import of a directory file: choose it, see what would change, then import. */
import { useEffect, useEffectEvent, useState } from 'react';
import { Icon } from '../../shell/icon';
import { tell } from '../../shell/messages';
import { say } from '../../words';
import { Frame } from '../frame';
import { ImportReport } from './report';
import { useImport } from './use-import';

const EXAMPLE = `{
  "roles": [{ "name": "Editor", "permissions": ["view_work_packages", "edit_work_packages"] }],
  "users": [{ "login": "kim", "firstName": "Kim", "lastName": "Keeper" }],
  "projects": [
    {
      "identifier": "quay",
      "name": "Quay",
      "memberships": [{ "user": "kim", "roles": ["Editor"] }]
    }
  ]
}`;

export function Import() {
  const { file, report, isDone = false, running, refusal, check, start } = useImport();
  const isOver = useDroppedFiles(([first, ...others]) => {
    if (!first || others.length > 0) tell(say('import.oneFile'));
    else check(first);
  });
  return (
    <Frame title={say('import.title')} facts={<span>{say('import.says')}</span>}>
      {isOver && (
        <div className="drop-over" aria-hidden="true">
          <Icon name="drop" />
          {say('import.dropIt')}
        </div>
      )}
      <section className="panel narrow admin-form" aria-labelledby="import-file">
        <h2 id="import-file">{say('import.file')}</h2>
        <p>{say('import.checkedFirst')}</p>
        <div className="row">
          <ChooseFile
            isMain={!report || report.errorCount > 0}
            isOff={running !== undefined}
            onFile={check}
          />
          <span className="small soft">{say('import.orDrop')}</span>
          <span role="status">
            {running === 'check' && (
              <span className="state">
                <Icon name="again" turning />
                {say('import.checking', { name: file?.name ?? '' })}
              </span>
            )}
          </span>
        </div>
        {refusal !== undefined && (
          <div className="note bad" role="alert">
            <bdi>{file?.name}</bdi>
            {/* The service writes its reasons in English. */}
            <p dir="auto">{refusal}</p>
            {file && (
              <button type="button" className="button" onClick={() => check(file)}>
                {say('import.checkAgain')}
              </button>
            )}
          </div>
        )}
        <details className="folders">
          <summary>{say('import.example')}</summary>
          <pre className="json" dir="ltr" tabIndex={0}>
            {EXAMPLE}
          </pre>
        </details>
      </section>
      {file && report && (
        <ImportReport
          key={isDone ? 'done' : 'checked'}
          name={file.name}
          report={report}
          isDone={isDone}
          isRunning={running === 'import'}
          onImport={start}
        />
      )}
    </Frame>
  );
}

function ChooseFile({
  isMain,
  isOff,
  onFile,
}: {
  isMain: boolean;
  isOff: boolean;
  onFile: (file: File) => void;
}) {
  return (
    <label className={`button${isMain ? ' main' : ''}`}>
      <Icon name="file" />
      {say('import.choose')}
      <input
        type="file"
        className="unseen"
        accept=".json,application/json"
        aria-disabled={isOff}
        onClick={(event) => isOff && event.preventDefault()}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file may be chosen again.
          currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </label>
  );
}

/** @returns whether somebody drags files over the page */
function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const over = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    // Otherwise the browser leaves the page for the file.
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') onFiles([...event.dataTransfer.files]);
  });
  useEffect(() => {
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    addEventListener('dragover', over);
    addEventListener('drop', over);
    addEventListener('dragleave', leave);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', over);
      removeEventListener('dragleave', leave);
    };
  }, []);
  return isOver;
}
