/** What kind of file one is, by its content type and its name: for its sign and its preview. */
import type { IconName } from '../shell/icon';

type Kind = 'picture' | 'paper' | 'table' | 'plan' | 'film' | 'sound' | 'box' | 'folder' | 'other';

const byName: [RegExp, Kind][] = [
  [/\.(xlsx?m?|ods|csv|tsv)$/i, 'table'],
  [/\.(dwg|dxf|ifc|step|stp|rvt|skp)$/i, 'plan'],
  [/\.(zip|7z|rar|tar|gz|tgz|xz|bz2)$/i, 'box'],
  [/\.(docx?m?|odt|rtf|pdf|txt|md|pptx?|odp)$/i, 'paper'],
];

export function kindOf({ name, type }: { name: string; type: string | null | undefined }): Kind {
  if (type === 'application/x-op-directory' || type === 'inode/directory') return 'folder';
  if (type?.startsWith('image/') && !/dwg|dxf/.test(type)) return 'picture';
  if (type?.startsWith('video/')) return 'film';
  if (type?.startsWith('audio/')) return 'sound';
  const kind = byName.find(([pattern]) => pattern.test(name))?.[1];
  return kind ?? (type?.startsWith('text/') ? 'paper' : 'other');
}

export const iconOf = (kind: Kind): IconName => (kind === 'other' ? 'file' : kind);

type Preview = 'picture' | 'film' | 'sound' | 'pdf' | 'table' | 'markdown' | 'text' | 'none';

const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;
const TABLES = /^text\/(csv|tab-separated-values)$/;
const TEXTS = /^(text\/|application\/(json|xml|x-yaml|yaml|sql|javascript)$)/;
const LARGEST: { [preview in Preview]?: number } = {
  picture: 50e6,
  pdf: 100e6,
  table: 20e6,
  markdown: 20e6,
  text: 20e6,
};

/** How a file can be looked at here. Nothing of a file is ever executed. */
export function previewOf({ type, bytes }: { type: string; bytes: number }): Preview | 'tooLarge' {
  const preview: Preview = PICTURES.test(type)
    ? 'picture'
    : type.startsWith('video/')
      ? 'film'
      : type.startsWith('audio/')
        ? 'sound'
        : type === 'application/pdf'
          ? 'pdf'
          : TABLES.test(type)
            ? 'table'
            : type === 'text/markdown'
              ? 'markdown'
              : TEXTS.test(type)
                ? 'text'
                : 'none';
  return bytes > (LARGEST[preview] ?? Infinity) ? 'tooLarge' : preview;
}
