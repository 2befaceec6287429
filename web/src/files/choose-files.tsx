/** Buttons that open the browser's own dialog for files or for a folder. */
import { useRef, type ReactNode } from 'react';

export function ChooseFiles({
  className,
  folder = false,
  onFiles,
  children,
}: {
  className: string;
  folder?: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        {...(folder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
