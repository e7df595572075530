/** One file of the pages, as it is stored. */
export interface ConsoleFile {
  readonly bytes: Uint8Array;
  /** The value of Content-Type. */
  readonly type: string;
  readonly encoding: 'br' | 'gzip' | 'identity';
  /** Of the content: a new content has another one. */
  readonly hash: string;
}

/** The files of the pages. They are read when somebody asks, and not kept. */
export interface ConsoleFiles {
  /** `index.html`, or `assets/NAME-HASH.EXT`. Undefined when there is no such file. */
  read(name: string): Promise<ConsoleFile | undefined>;
}
