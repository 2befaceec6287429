/** Buttons that open the browser's own dialog for files or for a folder. */
import { useRef, type ReactNode } from 'react';

export function ChooseFiles({
  className,
  folder = false,
  camera = false,
  onFiles,
  children,
}: {
  className: string;
  folder?: boolean;
  /** Phones and tablets open their camera. */
  camera?: boolean;
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
        {...(camera && { accept: 'image/*', capture: 'environment' })}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

/** Opens the dialog for one file. */
export function chooseFile(onFile: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.onchange = () => {
    const [file] = input.files ?? [];
    if (file) onFile(file);
  };
  input.click();
}
