import type { ContainedFolder } from '@podwright/contained-path';
import { hasCode } from '@podwright/errors';
import { LogDecoder } from '../lines/log-decoder.js';
import { LogStamp } from '../lines/log-stamp.js';
import type { LogFile } from './log-file.js';
import { identityOf, openLogFile } from './log-file.js';
import { rotatedNames } from './rotated-name.js';
import type { RotatedName } from './rotated-name.js';

/** The file that continues a log after another file. */
export interface NextLogFile {
  readonly file: LogFile;
  /** True for the file with the log's own name: the runtime may still be writing to the file before it. */
  readonly isCurrent: boolean;
}

// A try fails when a file is packed or removed between listing and opening it.
const mostTries = 3;

/** A log by its name, with its rotated files. */
export class RotatedLog {
  constructor(
    private readonly folder: ContainedFolder,
    private readonly name: string,
  ) {}

  /**
   * Opens the current file. During a rotation there may be none: then opens the newest rotated one, unless it is
   * packed. Rejects as {@link openLogFile} does.
   */
  async open(): Promise<LogFile> {
    try {
      return await openLogFile(this.folder, this.name);
    } catch (error) {
      const last = hasCode(error, 'not-found') ? rotatedNames(await this.folder.names(), this.name).at(-1) : undefined;
      if (last === undefined || last.name.endsWith('.gz')) throw error;
      return openLogFile(this.folder, last.name);
    }
  }

  /**
   * Opens the file that follows `file`, whose last line has the time `last`; undefined while `file` is the newest.
   * Lines of rotated files that were removed before they were read are lost; no line is read twice.
   */
  async after(file: LogFile, last: LogStamp): Promise<NextLogFile | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.find(file, last);
      } catch (error) {
        if (!hasCode(error, 'not-found') || tries === mostTries) throw error;
      }
    }
  }

  private async find(file: LogFile, last: LogStamp): Promise<NextLogFile | undefined> {
    const current = await this.folder.stat(this.name);
    if (current !== undefined && identityOf(current) === file.identity) return undefined;
    const rotated = rotatedNames(await this.folder.names(), this.name);
    const own = await this.positionOf(file, rotated);
    const later = own < 0 ? await this.beganAfter(rotated, last) : rotated[own + 1];
    if (later !== undefined) return { file: await openLogFile(this.folder, later.name), isCurrent: false };
    // Until the new file has its first line, the runtime may still write to the old one, for long on a busy machine.
    if (current === undefined || current.size === 0) return undefined;
    return { file: await openLogFile(this.folder, this.name), isCurrent: true };
  }

  private async positionOf(file: LogFile, rotated: readonly RotatedName[]): Promise<number> {
    // Search the newest first: a file that was current a moment ago is there.
    for (let at = rotated.length - 1; at >= 0; at--) {
      const stats = await this.folder.stat(rotated[at]?.name ?? '');
      if (stats !== undefined && identityOf(stats) === file.identity) return at;
    }
    return -1;
  }

  /**
   * The oldest rotated file whose first line is later than `last`. Needed when the file before was packed or removed.
   */
  private async beganAfter(rotated: readonly RotatedName[], last: LogStamp): Promise<RotatedName | undefined> {
    for (const candidate of rotated) {
      const first = await this.firstTime(candidate.name);
      if (first !== undefined && last.isBefore(first)) return candidate;
    }
    return undefined;
  }

  private async firstTime(name: string): Promise<LogStamp | undefined> {
    const file = await openLogFile(this.folder, name);
    try {
      const stamp = new LogStamp();
      let found = false;
      const decoder = new LogDecoder({
        record: (record) => {
          stamp.copyTime(record.stamp);
          found = true;
        },
        more: () => undefined,
        get full() {
          return found;
        },
      });
      for (let block = await file.read(); block !== undefined && !found; block = await file.read()) decoder.push(block);
      return found ? stamp : undefined;
    } finally {
      await file.close();
    }
  }
}
