import { removeFailedWrites, writeFileAtomically } from '@podwright/checkpoint';
import { isMissing } from '@podwright/errors';
import { constants, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { encodeCheckpointLine } from './checkpoint-file-format.js';

export interface CheckpointFileOptions {
  readonly podUid: string;
  readonly file: string;
  readonly maxBytes: number;
  /** Called after each write. Must not throw. `error` is undefined when the write succeeded. */
  readonly onWritten: (error?: unknown) => void;
  /** Called with the names of the parts that do not fit in the file. */
  readonly onTooLarge: (parts: readonly string[]) => void;
}

/** The file is rewritten as one line when its further lines are longer than this and than four times the first. */
const longestTailBytes = 16_384;

/**
 * The checkpoint of one pod and its file, with one write at a time. Appends changes as lines: a starting pod has many,
 * and a new file for each would cost more than all other writes of the kubelet.
 */
export class CheckpointFile {
  /** JSON text by name of the part. Texts are immutable snapshots, and equal texts need no write. */
  private readonly parts: Map<string, string>;
  /**
   * Names of the parts that differ from the file; undefined: the file's content is unknown, so nothing can be appended.
   */
  private changed: Set<string> | undefined;
  private bytes = 0;
  private tailBytes = 0;
  private dirty = false;
  private writes = 0;
  private last: Promise<void> = Promise.resolve();
  private queued: Promise<void> | undefined;

  constructor(
    private readonly options: CheckpointFileOptions,
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

  /** Resolves when the write has succeeded or failed. */
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

  /** Writes again what the last write has not saved; the result is reported as that of any write. */
  retry(): Promise<void> {
    return this.failed ? this.save() : this.last;
  }

  /** True when the last write has not saved what is to be saved, and no other one is in progress or waiting. */
  get failed(): boolean {
    return this.dirty && this.writes === 0;
  }

  /** True when no write is in progress or waiting, and the last one succeeded. */
  get settled(): boolean {
    return this.writes === 0 && !this.dirty;
  }

  /** Resolves when no write is in progress or waiting. */
  async idle(): Promise<void> {
    await this.last;
  }

  // Callers during a write join the one that waits.
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
      this.changed = undefined; // the file's content is unknown now
      onWritten(error);
    }
  }

  private async remove(): Promise<void> {
    this.changed = undefined;
    // rm() would look at the file first, in two calls.
    await unlink(this.options.file).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await removeFailedWrites(path.dirname(this.options.file));
  }

  /** False when the file must be rewritten. */
  private async append(): Promise<boolean> {
    const { changed } = this;
    const { podUid, file, maxBytes } = this.options;
    if (changed === undefined) return false;
    const line = Buffer.from(
      encodeCheckpointLine(
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

  // Drop the largest parts first: one that grows without bound must not displace the others.
  private content(): { readonly text: string; readonly complete: boolean } {
    const { podUid, maxBytes, onTooLarge } = this.options;
    const parts = new Map(this.parts);
    const dropped: string[] = [];
    for (;;) {
      const text = encodeCheckpointLine(podUid, parts);
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
