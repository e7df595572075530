import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { appendWhole } from '@podwright/checkpoint';
import { isMissing } from '@podwright/errors';
import { makeDirectory } from '@podwright/filesystem';

/** Decisions name pods, images and errors: nobody but root needs them. */
const directoryMode = 0o700;
const namePattern = /^(\d{10})\.jsonl$/;

export interface Segment {
  readonly index: number;
  readonly file: string;
  readonly bytes: number;
  /** Unix milliseconds of the last write. */
  readonly writtenAtMs: number;
}

/** The segment files in a directory: JSON lines, numbered from the oldest. */
export class SegmentFiles {
  constructor(readonly directory: string) {}

  /** Oldest first; empty when there is no directory. */
  async list(): Promise<readonly Segment[]> {
    const names = await readdir(this.directory).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const found = await Promise.all(names.map((name) => this.inspect(name)));
    return found.filter((each) => each !== undefined).sort((left, right) => left.index - right.index);
  }

  /** Appends all of the lines or none; creates the file and the directory when they are missing. */
  async append(index: number, lines: string): Promise<void> {
    const file = this.fileOf(index);
    try {
      await appendWhole(file, lines);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await makeDirectory(this.directory, directoryMode);
      await appendWhole(file, lines);
    }
  }

  async remove(index: number): Promise<void> {
    await rm(this.fileOf(index), { force: true });
  }

  private fileOf(index: number): string {
    return path.join(this.directory, `${String(index).padStart(10, '0')}.jsonl`);
  }

  // Another process, or the end of the oldest one, may remove it meanwhile.
  private async inspect(name: string): Promise<Segment | undefined> {
    const digits = namePattern.exec(name)?.[1];
    if (digits === undefined) return undefined;
    const file = path.join(this.directory, name);
    const found = await stat(file).catch(() => undefined);
    return found && { index: Number(digits), file, bytes: found.size, writtenAtMs: found.mtimeMs };
  }
}
