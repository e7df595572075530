import path from 'node:path';
import type { PodResourceRecords, PodResourceState } from '@podwright/allocation-interface';
import { createCheckpointStore, type CheckpointStore } from '@podwright/checkpoint';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { decodeResourceCheckpoint, encodeResourceCheckpoint } from './resource-checkpoint.js';

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Resources by pod, in memory and in one checkpoint file. Combines writes: callers during a write wait for the next
 * one, which has all their changes, so a hundred pods at once cost only a few writes.
 */
export class CheckpointedRecords implements PodResourceRecords {
  protected readonly entries = new Map<string, PodResourceState>();
  private readonly checkpoints: CheckpointStore;
  private waiting: Waiter[] = [];
  private writing: Promise<void> | undefined;
  private written = '';
  /** Whether the last write has failed. */
  private failed = false;

  constructor(
    private readonly rootDir: string,
    private readonly name: string,
  ) {
    this.checkpoints = createCheckpointStore(rootDir);
  }

  async start(): Promise<void> {
    await this.checkpoints.removeLeftovers(this.name);
    try {
      const text = await this.checkpoints.read(this.name);
      for (const [podUid, state] of decodeResourceCheckpoint(text)) this.entries.set(podUid, state);
      this.written = text;
    } catch (error) {
      if (hasCode(error, 'not-found')) return;
      const file = path.join(this.rootDir, this.name);
      const message = `could not restore state from checkpoint: ${messageOf(error)}, please drain this node and delete pod resource information checkpoint file ${JSON.stringify(file)} before restarting Kubelet`;
      throw new KubeletError(message, { code: 'data-loss', cause: error });
    }
  }

  async stop(): Promise<void> {
    await this.writing;
  }

  of(podUid: string): PodResourceState | undefined {
    return this.entries.get(podUid);
  }

  async remove(podUid: string): Promise<void> {
    if (this.entries.delete(podUid)) await this.flush();
  }

  async removeOrphans(podUids: ReadonlySet<string>): Promise<void> {
    const orphans = [...this.entries.keys()].filter((uid) => !podUids.has(uid));
    for (const uid of orphans) this.entries.delete(uid);
    if (orphans.length > 0 || this.failed) await this.flush();
  }

  /** Resolves when the current state is on disk. */
  protected flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.writing ??= this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    // Callers in this turn of the event loop join the first write.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        const text = encodeResourceCheckpoint(this.entries);
        if (text !== this.written) await this.checkpoints.write(this.name, text);
        this.written = text;
        this.failed = false;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.failed = true;
        for (const { reject } of batch) reject(error);
      }
    }
    this.writing = undefined;
  }
}
