/** Asks what to do with a file whose name is there already. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Dialog } from '../shell/dialog';
import { Loading } from '../shell/failure';
import { Icon } from '../shell/icon';
import { say, type WordKey } from '../words';
import { exactly, size, when } from '../words/formats';
import type { Taken } from './add-files';
import { attachmentOptions } from './attachments-query';
import { pathOf } from './dropped';
import { Thumbnail } from './file-tile';
import { iconOf, kindOf, previewOf } from './kinds';

export type Choice = 'replace' | 'keep' | 'skip';

export interface Question {
  file: File;
  there: Taken;
  /** Its name if both are kept. */
  newName: string;
  /** The how manieth name that is taken it is, of how many. */
  number: number;
  count: number;
  choose: (choice: Choice, forAll: boolean) => void;
}

/** A file that was added just now is not replaced by the next one: nobody has seen it yet. */
export const isPossible = (choice: Choice | undefined, { attachment }: Taken): choice is Choice =>
  choice === 'replace' ? attachment?.viewerCanMove === true : choice !== undefined;

export function SameName({ file, there, newName, number, count, choose }: Question) {
  const choices = (['replace', 'keep', 'skip'] as const).filter((one) => isPossible(one, there));
  // Nothing is lost by it.
  const [choice, setChoice] = useState<Choice>('keep');
  const [forAll, setForAll] = useState(false);
  const left = count - number + 1;
  const title = say('same.title', { name: pathOf(file) });
  const why: { [choice in Choice]: string } = {
    replace: say('same.replaceWhy'),
    keep: say('same.keepWhy', { name: newName }),
    skip: say('same.skipWhy'),
  };
  return (
    <Dialog label={title} className="same-name" onClose={() => choose('skip', false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose(choice, forAll);
        }}
      >
        <div className="same-head">
          <h2>{title}</h2>
          {count > 1 && <p className="small soft">{say('same.number', { number, count })}</p>}
        </div>
        <div className="sides">
          <Side title="same.there">
            <There {...there} />
          </Side>
          <Side title="same.new">
            <FileFacts file={file} />
          </Side>
        </div>
        <fieldset className="choices">
          <legend className="unseen">{say('same.what')}</legend>
          {choices.map((one) => (
            <label key={one} className="choice">
              <input
                type="radio"
                name="choice"
                autoFocus={one === choice}
                checked={one === choice}
                onChange={() => setChoice(one)}
              />
              <span>
                <strong>{say(`same.${one}`)}</strong>
                <span className="small soft">{why[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {left > 1 && (
          <label className="row">
            <input
              type="checkbox"
              checked={forAll}
              onChange={(event) => setForAll(event.target.checked)}
            />
            {say('same.all', { count: left })}
          </label>
        )}
        <div className="same-foot">
          <span className="small soft">{say('same.others')}</span>
          <button className="button main">{say(`same.${choice}`)}</button>
        </div>
      </form>
    </Dialog>
  );
}

function Side({ title, children }: { title: WordKey; children: ReactNode }) {
  return (
    <section className="side" aria-label={say(title)}>
      <h3>{say(title)}</h3>
      {children}
    </section>
  );
}

function There({ attachment, file }: Taken) {
  if (attachment) return <AttachmentFacts databaseId={attachment.databaseId} />;
  return file ? <FileFacts file={file} /> : <p>{say('same.onItsWay')}</p>;
}

function AttachmentFacts({ databaseId }: { databaseId: number }) {
  const query = useQuery(attachmentOptions(databaseId));
  const file = query.data?.attachment;
  if (query.isPending) return <Loading />;
  if (!file) return <p>{say('files.gone')}</p>;
  return (
    <>
      <Thumbnail file={file} />
      <strong>{size(file.fileSize)}</strong>
      <p title={exactly(file.createdAt)}>
        {say('same.added', { when: when(file.createdAt), name: file.author.name })}
      </p>
      {file.description.raw && <p className="soft">{file.description.raw}</p>}
    </>
  );
}

/** A file of the person's computer. Browsers know when its content last changed. */
function FileFacts({ file }: { file: File }) {
  const changed = new Date(file.lastModified).toISOString();
  return (
    <>
      <Picture file={file} />
      <strong>{size(file.size)}</strong>
      <p title={exactly(changed)}>{say('same.changed', { when: when(changed) })}</p>
    </>
  );
}

function Picture({ file }: { file: File }) {
  const [address, setAddress] = useState<string>();
  const isPicture = previewOf({ type: file.type, bytes: file.size }) === 'picture';
  useEffect(() => {
    if (!isPicture) return undefined;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file, isPicture]);
  const kind = kindOf({ name: file.name, type: file.type });
  return (
    <div className={`thumb kind-${kind}`}>
      {address ? (
        <img src={address} alt="" onError={() => setAddress(undefined)} />
      ) : (
        <Icon name={iconOf(kind)} />
      )}
    </div>
  );
}
