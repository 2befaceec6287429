/** Draws a file: other programs make a picture of it, and the one for pictures makes small ones. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawnTypes } from './kinds.js';
import { ProgramFailed, runLimited, type Program } from './run-limited.js';
import { pictureProgram, type Tools } from './tools.js';
import { thumbnailSides, type DrawnPicture } from './thumbnails.js';

/** What was made of a file. The files lie in the folder. */
export interface Drawn {
  width: number | null;
  height: number | null;
  pageCount: number | null;
  durationMs: number | null;
  files: DrawnFile[];
}

export interface DrawnFile {
  name: string;
  /** Relative to the folder. */
  file: string;
  contentType: string;
  width: number | null;
  height: number | null;
}

interface Drawing {
  tools: Tools;
  path: string;
  /** Has the file `source`, and nothing else. */
  folder: string;
  signal: AbortSignal;
}

export const SOURCE = 'source';

/** Memory of the other programs, in KiB. */
const MEMORY = 2_000_000;
/** It reserves much more than it uses. */
const OFFICE_MEMORY = 4_000_000;
const LARGEST = thumbnailSides.large;

/** @throws ProgramFailed if the file cannot be drawn */
export function draw(drawing: Drawing, contentType: string): Promise<Drawn> {
  const type = drawnTypes[contentType];
  switch (type?.kind) {
    case 'document':
      return drawDocument(drawing, SOURCE);
    case 'film':
      return drawFilm(drawing, type.reader ?? '');
    case 'office':
      return drawOffice(drawing);
    default:
      return drawPicture(drawing, contentType, SOURCE);
  }
}

type Call = Omit<Program, 'folder' | 'path' | 'before'>;

const run = ({ tools, path, folder, signal }: Drawing, program: Call): Promise<string> =>
  runLimited({ ...program, folder, path, before: tools.offline }, signal);

async function drawPicture(drawing: Drawing, contentType: string, file: string): Promise<Drawn> {
  const output = await run(drawing, {
    ...pictureProgram,
    args: [...pictureProgram.args, contentType, file],
  });
  const { width, height, thumbnails } = parsed(output) as DrawnPicture;
  const files = thumbnails.map((one) => ({
    ...one,
    file: `${one.name}.webp`,
    contentType: 'image/webp',
  }));
  return { width, height, pageCount: null, durationMs: null, files };
}

/** The first page of a PDF. Pages have no pixels, so there is no size. */
async function drawDocument(drawing: Drawing, file: string): Promise<Drawn> {
  const about = await run(drawing, {
    command: 'pdfinfo',
    args: [file],
    seconds: 20,
    memory: MEMORY,
  });
  await run(drawing, {
    command: 'pdftoppm',
    args: ['-png', '-singlefile', '-f', '1', '-l', '1', '-scale-to', String(LARGEST), file, 'page'],
    seconds: 30,
    memory: MEMORY,
  });
  const pageCount = Number(/^Pages:\s*(\d+)/m.exec(about)?.[1] ?? NaN) || null;
  const { files } = await drawPicture(drawing, 'image/png', 'page.png');
  return { width: null, height: null, pageCount, durationMs: null, files };
}

/** The frame that is most typical of the first ones: often the very first is black. */
async function drawFilm(drawing: Drawing, reader: string): Promise<Drawn> {
  // The reader is named, and other protocols are forbidden: else a list could name other files.
  const source = ['-protocol_whitelist', 'file', '-f', reader, '-i', `file:${SOURCE}`];
  const about = parsed(
    await run(drawing, {
      command: 'ffprobe',
      args: ['-v', 'error', '-of', 'json', '-show_entries', SHOWN, ...source],
      seconds: 20,
      memory: MEMORY,
    }),
  ) as FilmAbout;
  const side = `${LARGEST}:${LARGEST}:force_original_aspect_ratio=decrease`;
  await run(drawing, {
    command: 'ffmpeg',
    args: [
      '-v error -nostdin -threads 1'.split(' '),
      source,
      '-an -sn -dn -frames:v 1 -threads 1'.split(' '),
      ['-vf', `scale=${side},thumbnail=50`, 'frame.png'],
    ].flat(),
    seconds: 60,
    memory: MEMORY,
  });
  const { files } = await drawPicture(drawing, 'image/png', 'frame.png');
  const stream = about.streams?.find(({ width }) => width !== undefined);
  const turned = stream?.side_data_list?.some(({ rotation = 0 }) => rotation % 180 !== 0);
  const [width = null, height = null] = [stream?.width, stream?.height];
  return {
    ...(turned ? { width: height, height: width } : { width, height }),
    pageCount: null,
    durationMs: Math.round(Number(about.format?.duration ?? NaN) * 1000) || null,
    files,
  };
}

const SHOWN = 'format=duration:stream=width,height:stream_side_data=rotation';

interface FilmAbout {
  format?: { duration?: string };
  streams?: { width?: number; height?: number; side_data_list?: { rotation?: number }[] }[];
}

/** The pages as a PDF, and the first of them. */
async function drawOffice(drawing: Drawing): Promise<Drawn> {
  const { folder } = drawing;
  const profile = join(folder, 'profile');
  await mkdir(join(profile, 'user'), { recursive: true });
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), OFFICE_SETTINGS);
  await run(drawing, {
    command: 'soffice',
    args: [
      `-env:UserInstallation=file://${profile}`,
      '--headless --norestore --convert-to pdf --outdir made'.split(' '),
      SOURCE,
    ].flat(),
    seconds: 120,
    memory: OFFICE_MEMORY,
  });
  const pages = `made/${SOURCE}.pdf`;
  const start = await readFile(join(folder, pages)).catch(() => undefined);
  // It ends with success, too, when it cannot read a file.
  if (start?.subarray(0, 5).toString('latin1') !== '%PDF-')
    throw new ProgramFailed('soffice made no pages');
  const drawn = await drawDocument(drawing, pages);
  const file = { name: 'pages', file: pages, contentType: 'application/pdf' };
  return { ...drawn, files: [...drawn.files, { ...file, width: null, height: null }] };
}

/** No macros, and nothing from other places than the file itself. */
const OFFICE_SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${['DisableActiveContent', 'DisableMacrosExecution', 'BlockUntrustedRefererLinks']
  .map(
    (name) =>
      '<item oor:path="/org.openoffice.Office.Common/Security/Scripting">' +
      `<prop oor:name="${name}" oor:op="fuse"><value>true</value></prop></item>`,
  )
  .join('\n')}
</oor:items>
`;

/** @throws ProgramFailed */
function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    throw new ProgramFailed('a program did not say what it drew');
  }
}
