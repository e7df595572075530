import { CLOCK, LOGGER, needs, type Needs } from '@podwright/assembly-interface';
import type { PodCheckpoints, PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import { GrowingPause, type Timer } from '@podwright/time';
import path from 'node:path';
import type { FilePodCheckpointsConfig } from './file-pod-checkpoints-config.js';
import { readCheckpointDirectory } from './checkpoint-directory.js';
import { checkpointFileName } from './checkpoint-file-format.js';
import { CheckpointFile } from './checkpoint-file.js';

export const filePodCheckpointsNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
});

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * {@link PodCheckpoints} with one file per pod below the state directory. Appends changes and sometimes rewrites the
 * file. Does not sync to disk: the page cache survives a kill -9, and after a power failure the containers are gone
 * too.
 */
export class FilePodCheckpoints implements PodCheckpoints {
  private readonly files = new Map<string, CheckpointFile>();
  private readonly directory: string;
  private readonly retryPause = new GrowingPause({ firstMs: firstRetryMs, longestMs: longestRetryMs });
  private retryTimer: Timer | undefined;
  private refusing = false;
  private stopped = false;

  constructor(
    private readonly deps: Needs<typeof filePodCheckpointsNeeds>,
    private readonly config: FilePodCheckpointsConfig,
  ) {
    this.directory = path.join(config.rootDir, 'pod_memory');
  }

  async start(): Promise<void> {
    for (const { podUid, parts } of await readCheckpointDirectory(this.directory, this.deps.logger)) {
      this.files.set(podUid, this.createFile(podUid, parts));
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.retryTimer?.cancel();
    await Promise.all([...this.files.values()].map((file) => file.idle()));
  }

  read<T>(podUid: string, part: PodCheckpointPart<T>): T | undefined {
    const json = this.files.get(podUid)?.get(part.name);
    if (json === undefined) return undefined;
    try {
      return part.decode(JSON.parse(json));
    } catch (error) {
      this.deps.logger.warn('A part of the checkpoint of a pod cannot be used', { podUid, part: part.name, error });
      return undefined;
    }
  }

  async write<T>(podUid: string, part: PodCheckpointPart<T>, value: T | undefined): Promise<void> {
    const json = value === undefined ? undefined : JSON.stringify(value);
    const known = this.files.get(podUid);
    if (known === undefined && json === undefined) return;
    const file = known ?? this.createFile(podUid);
    this.files.set(podUid, file);
    await file.set(part.name, json);
    this.dropEmpty(podUid, file);
  }

  async remove(podUid: string): Promise<void> {
    const file = this.files.get(podUid);
    if (file === undefined) return;
    await file.clear();
    this.dropEmpty(podUid, file);
  }

  podUids(): readonly string[] {
    return [...this.files].flatMap(([uid, file]) => (file.empty && !file.failed ? [] : [uid]));
  }

  // Only when no write waits: a new object for the same file could overtake it.
  private dropEmpty(podUid: string, file: CheckpointFile): void {
    if (file.empty && file.settled && this.files.get(podUid) === file) this.files.delete(podUid);
  }

  private createFile(podUid: string, parts?: ReadonlyMap<string, string>): CheckpointFile {
    return new CheckpointFile(
      {
        podUid,
        file: path.join(this.directory, checkpointFileName(podUid)),
        maxBytes: this.config.maxBytesPerPod,
        onWritten: (error) => this.report(podUid, error),
        onTooLarge: (names) =>
          this.deps.logger.error(
            'The checkpoint of a pod is too large for its file; a restart of the kubelet loses a part',
            {
              podUid,
              parts: names,
              maxBytes: this.config.maxBytesPerPod,
            },
          ),
      },
      parts,
    );
  }

  // Log the start and the end of a failure only: every change of every pod would repeat it.
  private report(podUid: string, error: unknown): void {
    const { directory, refusing } = this;
    this.refusing = error !== undefined;
    if (error !== undefined) {
      if (!refusing)
        this.deps.logger.error('The checkpoint of a pod cannot be written, trying again', { podUid, directory, error });
      if (!this.stopped) this.retryTimer ??= this.deps.clock.setTimer(this.retryPause.next(), () => this.tryOne());
    } else if (refusing) {
      this.deps.logger.info('Pod checkpoints can be written again', { directory });
      this.retryPause.reset();
      this.retryTimer?.cancel();
      this.retryTimer = undefined;
      for (const [uid, file] of this.files) this.retry(uid, file);
    }
  }

  /** When it succeeds, the others follow. */
  private tryOne(): void {
    this.retryTimer = undefined;
    for (const [uid, file] of this.files) if (file.failed) return this.retry(uid, file);
  }

  private retry(podUid: string, file: CheckpointFile): void {
    void file.retry().then(() => this.dropEmpty(podUid, file));
  }
}
