/** Draws small pictures of files, as far as this machine has what it takes. */
import { draw, type Drawn } from './draw.js';
import { drawnTypes } from './kinds.js';
import { findTools, type Tools } from './tools.js';

export class Drawer {
  #tools: Promise<Tools> | undefined;
  /** Known after the first `tools`. */
  #found: Tools | undefined;

  /** @param path where programs are found; undefined: nothing is drawn */
  constructor(private readonly path: string | undefined) {}

  /** Whether anything is to be drawn. */
  get isOn(): boolean {
    return this.path !== undefined;
  }

  /** What was found at the first call. */
  tools(): Promise<Tools> {
    return (this.#tools ??= findTools(this.path ?? '').then((found) => (this.#found = found)));
  }

  /** Whether files of this type and size are drawn. Call `tools` before. */
  draws({ contentType, fileSize }: { contentType: string; fileSize: number }): boolean {
    const type = drawnTypes[contentType];
    const tools = this.#found;
    if (!this.isOn || !type || !tools || tools.noPictures !== undefined) return false;
    if (/^image\/hei[cf]$/.test(contentType) && !tools.heic) return false;
    return fileSize > 0 && fileSize <= type.maxBytes && tools.missing[type.kind].length === 0;
  }

  /**
   * @param folder has the file `source`; the results are written to it
   * @throws ProgramFailed if the file cannot be drawn
   */
  async draw(folder: string, contentType: string, signal: AbortSignal): Promise<Drawn> {
    const tools = await this.tools();
    return draw({ tools, path: this.path ?? '', folder, signal }, contentType);
  }
}
