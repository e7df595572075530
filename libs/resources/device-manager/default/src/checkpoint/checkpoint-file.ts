import { readdir } from 'node:fs/promises';
import { createCheckpointStore } from '@podwright/checkpoint';
import { hasCode, isMissing, KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import {
  decodeDeviceCheckpoint,
  deviceCheckpointName,
  encodeDeviceCheckpoint,
  type DeviceCheckpoint,
} from './device-checkpoint.js';

/** The device manager's checkpoint file. Saves requested during a write are combined into one more write. */
export class CheckpointFile {
  private writing: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private readonly store: ReturnType<typeof createCheckpointStore>;

  constructor(
    private readonly directory: string,
    private readonly content: () => DeviceCheckpoint,
    private readonly logger: Logger,
  ) {
    this.store = createCheckpointStore(directory);
  }

  /**
   * Whether no kubelet has used the directory. Sockets count, too: upstream's kubelet writes no checkpoint before a
   * plugin has devices. Source: kubernetes v1.36 pkg/kubelet/checkpointmanager ListCheckpoints.
   */
  async isFirst(): Promise<boolean> {
    try {
      return (await readdir(this.directory)).every((name) => name.startsWith('.'));
    } catch (error) {
      return isMissing(error); // any other fault shows when the checkpoint is read
    }
  }

  /** undefined: the file is missing or invalid. */
  async read(): Promise<DeviceCheckpoint | undefined> {
    try {
      await this.store.removeLeftovers(deviceCheckpointName);
      const text = await this.store.read(deviceCheckpointName);
      return decodeDeviceCheckpoint(text, (problem) =>
        this.logger.error("Can't unmarshal allocResp, the allocation is forgotten", { problem }),
      );
    } catch (error) {
      if (!hasCode(error, 'not-found')) {
        const message = 'Continue after failing to read checkpoint file. Device allocation info may NOT be up-to-date';
        this.logger.error(message, { error });
      }
      return undefined;
    }
  }

  /** Resolves when the current state is on disk. */
  save(): Promise<void> {
    if (this.writing === undefined) return this.write();
    this.next ??= this.writing
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.write();
      });
    return this.next;
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    await (this.next ?? this.writing)?.catch(() => undefined);
  }

  private write(): Promise<void> {
    this.writing = this.store
      .write(deviceCheckpointName, encodeDeviceCheckpoint(this.content()))
      .catch((error: unknown) => {
        const message = `failed to write checkpoint file "${deviceCheckpointName}": ${messageOf(error)}`;
        throw new KubeletError(message, { code: 'unavailable', cause: error });
      })
      .finally(() => (this.writing = undefined));
    return this.writing;
  }
}
