/** The part of the library `sax` that is used. It has no types of its own. */
declare module 'sax' {
  export interface SAXParser {
    onopentagstart: () => void;
    onattribute: () => void;
    onopentag: (tag: { name: string }) => void;
    onclosetag: () => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    onerror: (error: Error) => void;
    /** Characters that were parsed. With `position: false` the caller sets it. */
    position: number;
    readonly closedRoot: boolean;
    write(text: string): void;
    close(): void;
  }
  const sax: {
    MAX_BUFFER_LENGTH: number;
    parser(strict: boolean, options: { position: boolean; strictEntities: boolean }): SAXParser;
  };
  export default sax;
}
