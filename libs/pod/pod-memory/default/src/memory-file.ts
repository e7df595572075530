import { writeFileAtomically } from '@podwright/checkpoint';
import { constants, open, rm } from 'node:fs/promises';
import { encodeMemoryLine } from './memory-file-format.js';

export interface MemoryFileOptions {
  readonly podUid: string;
  readonly file: string;
  readonly maxBytes: number;
  /** Never throws. `error` undefined: the write went well. */
  readonly onWritten: (error?: unknown) => void;
  /** Names of the parts that the file has no room for. */
  readonly onTooLarge: (parts: readonly string[]) => void;
}

/** The file is written anew, as one line, when its further lines have become longer than this or than four such files. */
const longestTailBytes = 16_384;

/**
 * The memory of one pod and its file, which is written by one write at a time. A change is a further line at its end: many
 * come while a pod starts, and a new file for each costs more than all else that the kubelet writes.
 */
export class MemoryFile {
  /** JSON text by name of the part: what is kept later changes nothing of what was kept, and equal texts need no write. */
  private readonly parts: Map<string, string>;
  /** Names of the parts that the file does not have as they are; undefined: the file is not ours to go on with. */
  private changed: Set<string> | undefined;
  private bytes = 0;
  private tailBytes = 0;
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
    this.changed?.add(part);
    return this.save();
  }

  clear(): Promise<void> {
    this.parts.clear();
    this.changed = undefined;
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
    const { onWritten } = this.options;
    this.dirty = false;
    try {
      if (this.empty) await this.remove();
      else if (!(await this.append())) await this.writeAnew();
      onWritten();
    } catch (error) {
      this.dirty = true;
      this.changed = undefined; // what is in the file now is anybody's guess
      onWritten(error);
    }
  }

  private async remove(): Promise<void> {
    this.changed = undefined;
    await rm(this.options.file, { force: true });
  }

  /** False when the file must be written anew. */
  private async append(): Promise<boolean> {
    const { changed } = this;
    const { podUid, file, maxBytes } = this.options;
    if (changed === undefined) return false;
    const line = Buffer.from(
      encodeMemoryLine(
        podUid,
        [...changed].map((name) => [name, this.parts.get(name)]),
      ),
    );
    const tailBytes = this.tailBytes + line.length;
    const tooLong = tailBytes > Math.max(longestTailBytes, 4 * (this.bytes - this.tailBytes));
    if (tooLong || this.bytes + line.length > maxBytes) return false;
    this.changed = new Set();
    const handle = await open(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
    await handle.writeFile(line).finally(() => handle.close());
    this.tailBytes = tailBytes;
    this.bytes += line.length;
    return true;
  }

  private async writeAnew(): Promise<void> {
    this.changed = new Set();
    const content = this.content();
    await writeFileAtomically(this.options.file, content.text, { mode: 0o600, durable: false });
    this.bytes = Buffer.byteLength(content.text);
    this.tailBytes = 0;
    if (!content.complete) this.changed = undefined;
  }

  // The largest parts give way: one that has gone wild must not take the others' memory with it.
  private content(): { readonly text: string; readonly complete: boolean } {
    const { podUid, maxBytes, onTooLarge } = this.options;
    const parts = new Map(this.parts);
    const dropped: string[] = [];
    for (;;) {
      const text = encodeMemoryLine(podUid, parts);
      if (Buffer.byteLength(text) <= maxBytes || parts.size === 0) {
        if (dropped.length > 0) onTooLarge(dropped);
        return { text, complete: dropped.length === 0 };
      }
      const [largest] = [...parts].reduce((most, part) => (part[1].length > most[1].length ? part : most));
      parts.delete(largest);
      dropped.push(largest);
    }
  }
}
