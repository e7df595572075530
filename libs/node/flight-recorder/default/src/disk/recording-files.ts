import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { appendWhole } from '@podwright/checkpoint';
import { isMissing } from '@podwright/errors';
import { makeDirectory } from '@podwright/filesystem';

// As for the journal: nobody but root needs them.
const directoryMode = 0o700;
const namePattern = /^(\d{10})-(\d{6})\.jsonl\.gz$/;

interface StoredSegment {
  readonly file: string;
  /** Number of the process, from the oldest. */
  readonly process: number;
  readonly segment: number;
  bytes: number;
}

/** The segments of recordings in a directory, numbered by process and within it from the oldest. */
export class RecordingFiles {
  private stored: StoredSegment[] = [];
  private current: StoredSegment | undefined;

  constructor(readonly directory: string) {}

  /** What is kept of this process, oldest first; without a segment of which nothing is written yet. */
  get own(): readonly { readonly file: string; readonly bytes: number }[] {
    return this.stored
      .filter(({ process, bytes }) => process === this.current?.process && bytes > 0)
      .map(({ file, bytes }) => ({ file, bytes }));
  }

  /** Size of the segment that is written. */
  get bytes(): number {
    return this.current?.bytes ?? 0;
  }

  /** Begins a segment of this process; its file is there after the first {@link append}. */
  async begin(segment: number): Promise<string> {
    if (this.current === undefined) this.stored = [...(await this.list())];
    await makeDirectory(this.directory, directoryMode);
    const process = this.current?.process ?? (this.stored.at(-1)?.process ?? 0) + 1;
    const name = `${String(process).padStart(10, '0')}-${String(segment).padStart(6, '0')}.jsonl.gz`;
    this.current = { file: path.join(this.directory, name), process, segment, bytes: 0 };
    this.stored.push(this.current);
    return this.current.file;
  }

  /** Removes the oldest other segments until all are at most `maxBytes`, then appends all of the bytes or none. */
  async append(bytes: Uint8Array, maxBytes: number): Promise<void> {
    const { current } = this;
    if (current === undefined) throw new Error('no segment has begun');
    let sum = this.stored.reduce((total, each) => total + each.bytes, bytes.length);
    for (const oldest of this.stored.filter((each) => each !== current)) {
      if (sum <= maxBytes) break;
      await rm(oldest.file, { force: true });
      this.stored = this.stored.filter((each) => each !== oldest);
      sum -= oldest.bytes;
    }
    await appendWhole(current.file, bytes);
    current.bytes += bytes.length;
  }

  /** The segments of the newest process, oldest first; empty when there is none. */
  async newest(): Promise<readonly string[]> {
    const stored = await this.list();
    return stored.filter(({ process }) => process === stored.at(-1)?.process).map(({ file }) => file);
  }

  private async list(): Promise<readonly StoredSegment[]> {
    const names = await readdir(this.directory).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const found = await Promise.all(
      names.map(async (name): Promise<StoredSegment | undefined> => {
        const [, process, segment] = namePattern.exec(name) ?? [];
        if (process === undefined) return undefined;
        const file = path.join(this.directory, name);
        return { file, process: Number(process), segment: Number(segment), bytes: (await stat(file)).size };
      }),
    );
    return found
      .filter((each) => each !== undefined)
      .sort((left, right) => left.process - right.process || left.segment - right.segment);
  }
}
