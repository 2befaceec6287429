/** Adding files to a container: by choice, drop and paste, with a question for names that are taken. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { answers, moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { inField, isBehindDialog } from '../shell/focus';
import { me, useMe } from '../shell/me';
import { tell } from '../shell/messages';
import { isOver } from '../uploads/list';
import { say } from '../words';
import { freeName, keyOf, namesIn, takeable } from './add-files';
import { filesIn, withTime } from './dropped';
import { SameName, type Choice } from './same-name';

/** The container of each upload that was begun on this page. */
const places = new WeakMap<object, string>();

/** A picture of the page that is dragged looks like a file of another program. */
let isOwnDrag = false;
const startDrag = (): void => void (isOwnDrag = true);
const endDrag = (): void => void (isOwnDrag = false);

const bringsFiles = (event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } =>
  !isOwnDrag && event.dataTransfer?.types.includes('Files') === true;

/**
 * Whether files are pasted, for the page. Spreadsheets and word processors add a picture to copied
 * text: as plain and as formatted text it is no file. A field takes any text, and needs no picture.
 */
function isPasteOfFiles(event: ClipboardEvent, { types }: DataTransfer): boolean {
  if (!types.includes('Files') || isBehindDialog()) return false;
  const isText = types.includes('text/plain') && (inField(event) || types.includes('text/html'));
  return !isText;
}

interface Question {
  name: string;
  others: number;
  choose: (choice: Choice, forAll: boolean) => void;
}

export function useAdding(container: { id: string; viewerCanAddAttachment: boolean }) {
  const limits = useMe().data?.configuration;
  const [question, setQuestion] = useState<Question>();
  const [over, setOver] = useState<number>();
  const may = container.viewerCanAddAttachment;
  const busy = useRef(Promise.resolve());

  async function send(chosen: readonly File[]): Promise<void> {
    if (!may) return;
    const { configuration } = await answers.ensureQueryData(me);
    const files = takeable(chosen, configuration);
    if (files.length === 0) return;
    // Without the network the names are not known. The files wait all the same.
    const taken = await namesIn(container.id).catch(() => new Set<string>());
    for (const upload of moorage.uploads.list())
      if (places.get(upload) === container.id && !isOver(upload)) taken.add(keyOf(upload.fileName));
    let always: Choice | undefined;
    for (const [at, file] of files.entries()) {
      let fileName = file.name;
      if (taken.has(keyOf(fileName))) {
        const others = files.slice(at + 1).filter(({ name }) => taken.has(keyOf(name))).length;
        const choice = always ?? (await ask(fileName, others));
        if (choice === 'skip') continue;
        fileName = freeName(fileName, taken);
      }
      taken.add(keyOf(fileName));
      // The page stays quick, however many files there are.
      if (at % 50 === 49) await new Promise((resolve) => setTimeout(resolve));
      places.set(moorage.upload(file, { containerId: container.id, fileName }), container.id);
    }

    async function ask(name: string, others: number): Promise<Choice> {
      const answer = await new Promise<{ choice: Choice; forAll: boolean }>((resolve) =>
        setQuestion({ name, others, choose: (choice, forAll) => resolve({ choice, forAll }) }),
      );
      setQuestion(undefined);
      if (answer.forAll) always = answer.choice;
      return answer.choice;
    }
  }

  /** One group of files after the other, so that two questions never compete. */
  const add = (files: readonly File[]): void => {
    busy.current = busy.current
      .then(() => send(files))
      .catch((error: unknown) => void tell(reasonOf(error)));
  };

  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    const takes = may && !isBehindDialog();
    event.dataTransfer.dropEffect = takes ? 'copy' : 'none';
    if (takes) setOver(event.dataTransfer.items.length);
  });
  const onDrop = useEffectEvent((event: DragEvent) => {
    if (!bringsFiles(event)) return;
    // Otherwise the browser leaves the page for the file.
    event.preventDefault();
    setOver(undefined);
    if (may && !isBehindDialog()) void filesIn(event.dataTransfer).then(add);
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (!event.clipboardData || !isPasteOfFiles(event, event.clipboardData)) return;
    event.preventDefault();
    const pasted = filesIn(event.clipboardData);
    void pasted.then((files) =>
      add(files.map((file, number) => withTime(file, say('files.pasted'), number))),
    );
  });
  useEffect(() => {
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(undefined);
    };
    addEventListener('dragstart', startDrag);
    addEventListener('dragend', endDrag);
    addEventListener('dragover', onDrag);
    addEventListener('dragleave', leave);
    addEventListener('drop', onDrop);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('dragstart', startDrag);
      removeEventListener('dragend', endDrag);
      removeEventListener('dragover', onDrag);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', onDrop);
      removeEventListener('paste', onPaste);
    };
  }, []);

  return { may, limits, add, over, question: question && <SameName {...question} /> };
}
