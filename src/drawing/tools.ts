/** Finds the programs that draw. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Kind } from './kinds.js';
import { runLimited, type Program } from './run-limited.js';
import type { PictureAbilities } from './thumbnails.js';

export interface Tools {
  /** Why no picture can be drawn. Undefined if the library for pictures works. */
  noPictures: string | undefined;
  /** Whether pictures in HEIC can be read. */
  heic: boolean;
  /** The programs that are missing for each kind. */
  missing: { [kind in Kind]: string[] };
  /** Programs before another one, which take the network away. Empty where that does not work. */
  offline: string[];
}

/** Which programs read a kind of files. Each ends as a picture. */
const programs: { [kind in Kind]: string[] } = {
  picture: [],
  document: ['pdfinfo', 'pdftoppm'],
  film: ['ffprobe', 'ffmpeg'],
  office: ['soffice', 'pdfinfo', 'pdftoppm'],
};

/** A new user namespace, so that no rights are needed, with a network of its own, which has nothing. */
const OFFLINE = ['unshare', '-rn'];

const self = fileURLToPath(import.meta.url);
const isCompiled = self.endsWith('.js');

/** The command of the program for pictures. From source files, it needs what compiles them. */
export const pictureProgram = {
  command: process.execPath,
  args: [
    // Without it, a module of WebAssembly reserves ten gigabytes of addresses.
    '--disable-wasm-trap-handler',
    '--max-old-space-size=128',
    ...(isCompiled ? [] : ['--import', import.meta.resolve('tsx')]),
    fileURLToPath(new URL(`draw-picture.${isCompiled ? 'js' : 'ts'}`, import.meta.url)),
  ],
  seconds: 30,
  // Node.js itself reserves half of it.
  memory: 3_000_000,
};

export async function findTools(path: string): Promise<Tools> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-programs-'));
  const run = (program: Pick<Program, 'command' | 'args' | 'seconds' | 'memory'>) =>
    runLimited({ ...program, folder, path }, new AbortController().signal);
  try {
    const offline = await run({
      command: OFFLINE[0] as string,
      args: [...OFFLINE.slice(1), 'true'],
      seconds: 5,
      memory: 1_000_000,
    }).then(
      () => OFFLINE,
      () => [],
    );
    const missing = Object.fromEntries(
      Object.entries(programs).map(([kind, names]) => [
        kind,
        names.filter((name) => !isFound(name, path)),
      ]),
    ) as Tools['missing'];
    try {
      const { heic } = JSON.parse(await run(pictureProgram)) as PictureAbilities;
      return { noPictures: undefined, heic, missing, offline };
    } catch (error) {
      return { noPictures: (error as Error).message, heic: false, missing, offline };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isFound = (name: string, path: string): boolean =>
  path.split(delimiter).some((folder) => isAbsolute(folder) && isExecutable(join(folder, name)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
