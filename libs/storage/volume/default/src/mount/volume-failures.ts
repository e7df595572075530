import { KubeletError, messageOf } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import { podRef } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { PodVolume } from '../volume-table.js';

/** Tells of failed steps in upstream's words: kubernetes v1.36 pkg/volume/volume.go GenerateError. */
export class VolumeFailures {
  constructor(
    private readonly events: EventRecorder,
    private readonly logger: Logger,
  ) {}

  /** Runs one step for a pod; a failure becomes an event of the pod. `what` is such as `MountVolume.SetUp failed`. */
  async step<T>(
    what: string,
    record: PodVolume,
    run: () => T | Promise<T>,
    reason: 'FailedMount' | 'FailedMapVolume' | 'FailedAttachVolume' = 'FailedMount',
  ): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const message = `${what} for volume ${JSON.stringify(record.name)} : ${messageOf(error)}`;
      const { pod } = record.spec;
      this.events.event({ kind: 'Pod', pod }, 'Warning', reason, message);
      this.logger.error(message, { pod: podRef(pod) });
      this.tellMismatch(record, error);
      // The cause keeps its mark: the caller decides by it what may be mounted.
      throw new KubeletError(message, { code: 'unavailable', cause: error });
    }
  }

  /** The same without an event, for volumes whose pods are gone. `podUid`: whose volume it was. */
  async quietly(what: string, uniqueName: string, run: () => Promise<void>, podUid?: string): Promise<void> {
    try {
      await run();
    } catch (error) {
      const message = `${what} for volume ${JSON.stringify(uniqueName)}`;
      this.logger.error(message, { error, ...(podUid !== undefined && { podUid }) });
      throw new KubeletError(`${message} : ${messageOf(error)}`, { code: 'unavailable', cause: error });
    }
  }

  /** A PersistentVolume that says another file system than its disk has is told so itself. */
  private tellMismatch({ name, spec: { persistentVolume } }: PodVolume, error: unknown): void {
    if (persistentVolume === undefined || !isMismatch(error)) return;
    const message = `MountVolume failed for volume ${JSON.stringify(name)} ${messageOf(error)}`;
    const object = { kind: 'PersistentVolume', object: persistentVolume } as const;
    this.events.event(object, 'Warning', 'FailedMountOnFilesystemMismatch', message);
  }
}

/** The reason of a failed mount of a disk, which a plugin may have wrapped. */
function isMismatch(error: unknown): boolean {
  const { reason, cause } = (error ?? {}) as { readonly reason?: unknown; readonly cause?: unknown };
  return reason === 'FilesystemMismatch' || (cause !== undefined && isMismatch(cause));
}
