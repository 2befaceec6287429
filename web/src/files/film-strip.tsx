/** Small pictures of the files beside the one in the viewer. */
import { useEffect, useRef } from 'react';
import type { AttachmentRowFragment } from '../generated/documents';
import { say } from '../words';
import { Thumbnail } from './file-tile';

/** So many are drawn on each side. */
const BESIDE = 20;

export function FilmStrip({
  files,
  current,
  onStep,
}: {
  files: readonly AttachmentRowFragment[];
  current: number;
  onStep: (databaseId: number) => void;
}) {
  const strip = useRef<HTMLUListElement>(null);
  const index = files.findIndex(({ databaseId }) => databaseId === current);
  useEffect(() => {
    strip.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current, index]);
  if (index < 0 || files.length < 2) return null;
  return (
    <ul className="film-strip" ref={strip} aria-label={say('viewer.strip')}>
      {files.slice(Math.max(0, index - BESIDE), index + BESIDE + 1).map((file) => (
        <li key={file.id}>
          <button
            type="button"
            aria-label={file.fileName}
            title={file.fileName}
            aria-current={file.databaseId === current || undefined}
            // Arrow keys lead to the others.
            tabIndex={file.databaseId === current ? 0 : -1}
            onClick={() => onStep(file.databaseId)}
          >
            <Thumbnail file={file} />
          </button>
        </li>
      ))}
    </ul>
  );
}
