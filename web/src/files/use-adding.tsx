/** Adding files to a container: by choice, drop and paste, with a question for names that are taken. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { answers, moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { inField, isBehindDialog } from '../shell/focus';
import { me, useMe } from '../shell/me';
import { tell } from '../shell/messages';
import { isOver } from '../uploads/list';
import { say } from '../words';
import {
  countTaken,
  endOfStem,
  folderOf,
  freeName,
  keyOf,
  namesIn,
  takeable,
  type Taken,
} from './add-files';
import { filesIn, pathOf, rememberPath, withTime } from './dropped';
import { isPossible, SameName, type Choice, type Question } from './same-name';

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
    const taken = await namesIn(container.id).catch(() => new Map<string, Taken>());
    for (const upload of moorage.uploads.list()) {
      const key = keyOf(upload.fileName);
      if (places.get(upload) === container.id && !isOver(upload) && !taken.has(key))
        taken.set(key, {});
    }
    const count = countTaken(files, taken);
    let number = 0;
    let always: Choice | undefined;
    for (const [at, file] of files.entries()) {
      let fileName = file.name;
      let replaces: string | undefined;
      const there = taken.get(keyOf(fileName));
      if (there) {
        number += 1;
        const choice = isPossible(always, there) ? always : await ask(file, there);
        if (choice === 'skip') continue;
        if (choice === 'replace') replaces = there.attachment?.id;
        else fileName = freeName(fileName, taken);
      }
      taken.set(keyOf(fileName), { file });
      // The page stays quick, however many files there are.
      if (at % 50 === 49) await new Promise((resolve) => setTimeout(resolve));
      begin(file, fileName, replaces);
    }

    async function ask(file: File, there: Taken): Promise<Choice> {
      const answer = await new Promise<{ choice: Choice; forAll: boolean }>((resolve) =>
        setQuestion({
          file,
          there,
          newName: freeName(file.name, taken),
          number,
          count,
          choose: (choice, forAll) => resolve({ choice, forAll }),
        }),
      );
      setQuestion(undefined);
      if (answer.forAll) always = answer.choice;
      return answer.choice;
    }
  }

  function begin(file: File, fileName: string, replaces?: string, home = container.id): void {
    const path = pathOf(file);
    const upload = moorage.upload(file, {
      containerId: home,
      fileName,
      ...(replaces === undefined ? { description: folderOf(path) } : { replaces }),
    });
    places.set(upload, container.id);
    rememberPath(upload, path.slice(0, path.lastIndexOf('/') + 1) + fileName);
  }

  /** A new content for a file. It keeps its name, unless it is a file of another kind. */
  async function replace(
    { id, fileName }: { id: string; fileName: string },
    file: File,
    home: string,
  ) {
    const { configuration } = await answers.ensureQueryData(me);
    if (takeable([file], configuration).length === 0) return;
    const extensionOf = (name: string) => name.slice(endOfStem(name)).toLowerCase();
    const isSameKind = extensionOf(file.name) === extensionOf(fileName);
    begin(file, isSameKind ? fileName : file.name, id, home);
  }

  /** One group of files after the other, so that two questions never compete. */
  const add = (files: readonly File[]): void => {
    busy.current = busy.current
      .then(() => send(files))
      .catch((error: unknown) => void tell(reasonOf(error)));
  };

  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!bringsFiles(event)) return;
    // A part of the page takes files for itself.
    if (event.defaultPrevented) return setOver(undefined);
    event.preventDefault();
    const takes = may && !isBehindDialog();
    event.dataTransfer.dropEffect = takes ? 'copy' : 'none';
    if (takes) setOver(event.dataTransfer.items.length);
  });
  const onDrop = useEffectEvent((event: DragEvent) => {
    if (!bringsFiles(event)) return;
    setOver(undefined);
    if (event.defaultPrevented) return;
    // Otherwise the browser leaves the page for the file.
    event.preventDefault();
    if (may && !isBehindDialog()) void filesIn(event.dataTransfer).then(add);
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (
      event.defaultPrevented ||
      !event.clipboardData ||
      !isPasteOfFiles(event, event.clipboardData)
    )
      return;
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

  return {
    may,
    limits,
    add,
    /** @param home the container of the file */
    replace: (file: { id: string; fileName: string }, content: File, home: string): void =>
      void replace(file, content, home).catch((error: unknown) => tell(reasonOf(error))),
    over,
    question: question && <SameName key={question.number} {...question} />,
  };
}
