/** What kind of file one is, by its content type and its name: for its sign and its preview. */
import type { IconName } from '../shell/icon';

type Kind =
  | 'picture'
  | 'pdf'
  | 'doc'
  | 'table'
  | 'slides'
  | 'text'
  | 'code'
  | 'plan'
  | 'model'
  | 'film'
  | 'sound'
  | 'box'
  | 'mail'
  | 'folder'
  | 'other';

const byName: [RegExp, Kind][] = [
  [/\.pdf$/i, 'pdf'],
  [/\.(docx?m?|odt|rtf|pages)$/i, 'doc'],
  [/\.(xlsx?m?|ods|csv|tsv|numbers)$/i, 'table'],
  [/\.(pptx?m?|odp|key)$/i, 'slides'],
  [/\.(txt|md|log)$/i, 'text'],
  [/\.([cm]?js|jsx|[cm]?ts|tsx|vue|py|rb|go|rs|java|kt|swift|cs|php|lua|pl|r)$/i, 'code'],
  [/\.(c|h|cc|cpp|hpp|sh|bash|ps1|sql|jsonl?|ndjson|geojson|ya?ml|toml|ini)$/i, 'code'],
  [/\.(xml|gpx|kml|html?|s?css|diff|patch)$|^(dockerfile|makefile)$/i, 'code'],
  [/\.(dwg|dxf)$/i, 'plan'],
  [/\.(ifc|step|stp|rvt|skp|stl|obj)$/i, 'model'],
  [/\.(zip|7z|rar|tar|gz|tgz|xz|bz2)$/i, 'box'],
  [/\.(eml|msg)$/i, 'mail'],
];

export function kindOf({ name, type }: { name: string; type: string | null | undefined }): Kind {
  if (type === 'application/x-op-directory' || type === 'inode/directory') return 'folder';
  if (type?.startsWith('image/') && !/dwg|dxf/.test(type)) return 'picture';
  if (type?.startsWith('video/')) return 'film';
  if (type?.startsWith('audio/')) return 'sound';
  const kind = byName.find(([pattern]) => pattern.test(name))?.[1];
  return kind ?? (type?.startsWith('text/') ? 'text' : 'other');
}

const icons: { [kind in Kind]: IconName } = {
  picture: 'picture',
  pdf: 'paper',
  doc: 'paper',
  table: 'table',
  slides: 'slides',
  text: 'lines',
  code: 'code',
  plan: 'plan',
  model: 'box',
  film: 'film',
  sound: 'sound',
  box: 'archive',
  mail: 'mail',
  folder: 'folder',
  other: 'file',
};
export const iconOf = (kind: Kind): IconName => icons[kind];

/** What a sign says beside its drawing: PDF, DOCX. Absent for names without a short extension. */
export const badgeOf = (name: string): string | undefined =>
  /[^.]\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase();

type Preview = 'picture' | 'film' | 'sound' | 'pdf' | 'table' | 'markdown' | 'text' | 'none';

const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;
const TABLES = /^text\/(csv|tab-separated-values)$/;
const TEXTS =
  /^(text\/|application\/(json|jsonl|xml|yaml|toml|sql|javascript|node|x-(ndjson|yaml|sh|httpd-php|tex)|.*\+(xml|json))$)/;
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
