/** An import: a file is checked, then imported, if somebody says so. */
import { MoorageError } from 'moorage-client';
import { useRef, useState } from 'react';
import { sendFile } from '../../send-file';
import { askAgain } from '../../service';
import { reasonOf } from '../../shell/failure';
import { tell } from '../../shell/messages';
import { say } from '../../words';
import { ImportDirectoryDocument, type ImportDirectoryMutation } from '../generated/documents';

export type Report = ImportDirectoryMutation['importDirectory'];

interface State {
  file?: File;
  report?: Report;
  isDone?: boolean;
  running?: 'check' | 'import';
  /** Why there is no report. */
  refusal?: string;
}

export function useImport() {
  const [state, setState] = useState<State>({});
  const running = useRef(false);

  async function run(file: File, dryRun: boolean): Promise<void> {
    if (running.current) return;
    running.current = true;
    setState((before) => ({
      file,
      running: dryRun ? 'check' : 'import',
      ...(!dryRun && before.report && { report: before.report }),
    }));
    try {
      if (!(await isReadable(file))) throw new Unreadable();
      const report = await send(file, dryRun);
      const isDone = !dryRun && report.errorCount === 0;
      setState({ file, report, isDone });
      if (!isDone) return;
      // The person may be on another page by now.
      tell(say('import.done', { name: file.name }));
      await askAgain(['administration']);
    } catch (error) {
      setState({ file, refusal: refusalOf(error, dryRun) });
    } finally {
      running.current = false;
    }
  }
  return {
    ...state,
    check: (file: File): void => void run(file, true),
    start: (): void => void (state.file && run(state.file, false)),
    forget: (): void => setState({}),
  };
}

/** A folder, or a file that has changed since it was chosen. */
class Unreadable extends Error {}

const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

const send = async (file: File, dryRun: boolean): Promise<Report> =>
  (await sendFile(ImportDirectoryDocument, { file: null, dryRun }, file)).importDirectory;

function refusalOf(error: unknown, dryRun: boolean): string {
  if (error instanceof Unreadable) return say('import.unreadable');
  if (error instanceof MoorageError) {
    if (error.status === 0 && !dryRun) return say('import.unknown');
    if (error.code === 'UPDATE_CONFLICT') return say('import.conflict');
  }
  return reasonOf(error);
}
