/** The field for a comment, new or changed. It takes files by choice, drop and paste. */
import { useId, useState, type ClipboardEvent, type DragEvent, type ReactNode } from 'react';
import { takeable } from '../files/add-files';
import { ChooseFiles } from '../files/choose-files';
import { filesIn, withTime } from '../files/dropped';
import { moorage, answers } from '../service';
import { reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { me } from '../shell/me';
import { Name } from '../shell/name';
import { say } from '../words';
import { size } from '../words/formats';
import { draftOf, keepDraft, type Draft } from './drafts';

const hasFiles = ({ types }: DataTransfer): boolean => types.includes('Files');

export function CommentForm({
  place,
  text: firstText,
  label,
  send,
  autoFocus = false,
  children,
  onEnd,
}: {
  /** Where the draft is kept. */
  place: string;
  /** The text before the change. */
  text?: string;
  label: string;
  /** Saves the text. Gives back the id of the comment, which then gets the files. */
  send: (text: string) => Promise<string>;
  autoFocus?: boolean;
  children?: ReactNode;
  /** Called when a change is saved or given up. */
  onEnd?: () => void;
}) {
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = draftOf(place);
    return { ...kept, text: kept.text || (firstText ?? '') };
  });
  const [busy, setBusy] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const field = useId();
  const { text, files } = draft;
  const isEmpty = text.trim() === '' && files.length === 0;

  function change(next: Draft): void {
    setDraft(next);
    keepDraft(place, next);
  }
  async function add(chosen: readonly File[]): Promise<void> {
    const { configuration } = await answers.ensureQueryData(me);
    const taken = takeable(chosen, configuration);
    setDraft((now) => {
      const next = { ...now, files: [...now.files, ...taken] };
      keepDraft(place, next);
      return next;
    });
  }
  async function submit(): Promise<void> {
    if (busy || isEmpty) return;
    setBusy(true);
    setWrong(undefined);
    try {
      // A comment has a text. Without one, it says what its files are.
      const id = await send(text.trim() || files.map(({ name }) => name).join(', '));
      for (const file of files) moorage.upload(file, { containerId: id });
      end();
    } catch (error) {
      setWrong(reasonOf(error));
    } finally {
      setBusy(false);
    }
  }
  function end(): void {
    change({ text: '', files: [] });
    onEnd?.();
  }
  function drag(event: DragEvent): void {
    if (!hasFiles(event.dataTransfer)) return;
    // The page adds what is dropped elsewhere to the work package.
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setIsOver(true);
  }
  function drop(event: DragEvent): void {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    setIsOver(false);
    void filesIn(event.dataTransfer).then(add);
  }
  function paste(event: ClipboardEvent): void {
    const { clipboardData } = event;
    // Spreadsheets add a picture to the text that they copy.
    if (!hasFiles(clipboardData) || clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    void filesIn(clipboardData).then((pasted) =>
      add(pasted.map((file, number) => withTime(file, say('files.pasted'), number))),
    );
  }

  return (
    <form
      className={isOver ? 'composer over' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={drag}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <label className="unseen" htmlFor={field}>
        {label}
      </label>
      <textarea
        id={field}
        rows={2}
        dir="auto"
        value={text}
        maxLength={65_536}
        placeholder={say('comment.hint')}
        aria-keyshortcuts="Control+Enter"
        // What is changed was asked for.
        autoFocus={autoFocus}
        onChange={(event) => change({ ...draft, text: event.target.value })}
        onPaste={paste}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
          if (event.key === 'Escape' && onEnd) end();
        }}
      />
      {files.length > 0 && (
        <ul className="chips">
          {files.map((file) => (
            <li key={`${file.name} ${file.lastModified}`} className="file-chip">
              <Name>{file.name}</Name>
              <span className="size">{size(file.size)}</span>
              <button
                type="button"
                className="round"
                aria-label={say('comment.takeOut', { name: file.name })}
                onClick={() => change({ ...draft, files: files.filter((one) => one !== file) })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {wrong && (
        <p className="note bad" role="alert">
          {wrong}
        </p>
      )}
      <div className="row">
        <ChooseFiles className="button quiet square" onFiles={(chosen) => void add(chosen)}>
          <Icon name="clip" />
          <span className="unseen">{say('comment.attach')}</span>
        </ChooseFiles>
        {children}
        <span className="push" />
        {onEnd && (
          <button type="button" className="button quiet" onClick={end}>
            {say('app.cancel')}
          </button>
        )}
        <button className="button main" aria-disabled={busy || isEmpty}>
          <Icon name={firstText === undefined ? 'send' : 'check'} />
          {say(firstText === undefined ? 'comment.send' : 'comment.save')}
        </button>
      </div>
    </form>
  );
}
