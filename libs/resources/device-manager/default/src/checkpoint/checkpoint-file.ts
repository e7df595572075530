import { createCheckpointStore } from '@podwright/checkpoint';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
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
  private found = false;
  private readonly store: ReturnType<typeof createCheckpointStore>;

  constructor(
    directory: string,
    private readonly content: () => DeviceCheckpoint,
    private readonly logger: Logger,
  ) {
    this.store = createCheckpointStore(directory);
  }

  /** Whether the file exists. */
  get exists(): boolean {
    return this.found;
  }

  /** undefined: the file is missing or invalid. */
  async read(): Promise<DeviceCheckpoint | undefined> {
    try {
      await this.store.removeLeftovers(deviceCheckpointName);
      const text = await this.store.read(deviceCheckpointName);
      this.found = true;
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
      .then(
        () => void (this.found = true),
        (error: unknown) => {
          const message = `failed to write checkpoint file "${deviceCheckpointName}": ${messageOf(error)}`;
          throw new KubeletError(message, { code: 'unavailable', cause: error });
        },
      )
      .finally(() => (this.writing = undefined));
    return this.writing;
  }
}
