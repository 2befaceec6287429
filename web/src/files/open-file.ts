/** Which file the address names (`?file=12`). Opening one is an entry of the history of its own. */
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';

export interface FileSearch {
  /** The `databaseId` of the file in the viewer. */
  file?: number | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the entry before this one is the same page without a file. */
    opened?: boolean;
  }
}

export const validateFile = ({ file }: { file?: unknown }): FileSearch => ({
  file: Number.isSafeInteger(file) ? (file as number) : undefined,
});

export function useOpenFile() {
  const { file }: FileSearch = useSearch({ strict: false });
  const router = useRouter();
  const navigate = useNavigate();
  const show = (shown: FileSearch, options: { replace?: boolean; state: object | true }): void =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...shown }) as never,
      resetScroll: false,
      ...options,
    });
  return {
    file,
    open: (id: number): void => show({ file: id }, { state: { opened: true } }),
    /** Another file in place of this one. */
    step: (id: number): void => show({ file: id }, { replace: true, state: true }),
    close(): void {
      if (router.state.location.state.opened) router.history.back();
      else show({ file: undefined }, { replace: true, state: {} });
    },
  };
}
