import { writeFileAtomically } from '@podwright/checkpoint';
import { rm } from 'node:fs/promises';
import { encodeMemoryFile } from './memory-file-format.js';

export interface MemoryFileOptions {
  readonly podUid: string;
  readonly file: string;
  readonly maxBytes: number;
  /** Never throws. `error` undefined: the write went well. */
  readonly onWritten: (error?: unknown) => void;
  /** Names of the parts that the file has no room for. */
  readonly onTooLarge: (parts: readonly string[]) => void;
}

/** The memory of one pod and its file, which is written by one write at a time. */
export class MemoryFile {
  /** JSON text by name of the part: what is kept later changes nothing of what was kept, and equal texts need no write. */
  private readonly parts: Map<string, string>;
  private dirty = false;
  private writes = 0;
  private last: Promise<void> = Promise.resolve();
  private queued: Promise<void> | undefined;

  constructor(
    private readonly options: MemoryFileOptions,
    parts: ReadonlyMap<string, string> = new Map(),
  ) {
    this.parts = new Map(parts);
  }

  get empty(): boolean {
    return this.parts.size === 0;
  }

  get(part: string): string | undefined {
    return this.parts.get(part);
  }

  /** Resolves when the disk has it, or has refused. */
  set(part: string, json: string | undefined): Promise<void> {
    if (this.parts.get(part) === json && !this.dirty) return this.last;
    if (json === undefined) this.parts.delete(part);
    else this.parts.set(part, json);
    return this.save();
  }

  clear(): Promise<void> {
    this.parts.clear();
    return this.save();
  }

  /** Nothing is being written or waits for it, and the disk took what was written last. */
  get settled(): boolean {
    return this.writes === 0 && !this.dirty;
  }

  /** Resolves when no write is under way or waiting. */
  async idle(): Promise<void> {
    await this.last;
  }

  // Whoever comes while a write waits for its turn joins it.
  private save(): Promise<void> {
    this.dirty = true;
    if (this.queued !== undefined) return this.queued;
    const previous = this.last;
    this.writes += 1;
    this.queued = (async () => {
      await previous;
      this.queued = undefined;
      await this.write();
      this.writes -= 1;
    })();
    this.last = this.queued;
    return this.queued;
  }

  private async write(): Promise<void> {
    const { file, onWritten } = this.options;
    this.dirty = false;
    try {
      if (this.empty) await rm(file, { force: true });
      else await writeFileAtomically(file, this.content(), { mode: 0o600, durable: false });
      onWritten();
    } catch (error) {
      this.dirty = true;
      onWritten(error);
    }
  }

  // The largest parts give way: one that has gone wild must not take the others' memory with it.
  private content(): string {
    const { podUid, maxBytes, onTooLarge } = this.options;
    const parts = new Map(this.parts);
    const dropped: string[] = [];
    for (;;) {
      const text = encodeMemoryFile({ podUid, parts });
      if (Buffer.byteLength(text) <= maxBytes || parts.size === 0) {
        if (dropped.length > 0) onTooLarge(dropped);
        return text;
      }
      const [largest] = [...parts].reduce((most, part) => (part[1].length > most[1].length ? part : most));
      parts.delete(largest);
      dropped.push(largest);
    }
  }
}
