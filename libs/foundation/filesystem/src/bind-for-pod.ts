import type { Logger } from '@podwright/logging';
import { giveToGroup } from './give-to-group.js';
import { mountOnce } from './mount-once.js';
import type { MountTools } from './mount-tools.js';
import type { VolumeOwnership } from './set-volume-ownership.js';

export interface BindForPod {
  readonly mounts: MountTools;
  readonly logger: Pick<Logger, 'warn'>;
  /** Where the volume is mounted for the whole node. */
  readonly source: string;
  readonly target: string;
  /** Mount options without `bind`. */
  readonly options: readonly string[];
  /** Whom the files shall belong to; absent: they stay as they are. */
  readonly group?: Omit<VolumeOwnership, 'onError'> | undefined;
}

/** Gives one pod a volume that is mounted for the whole node. Idempotent; undone when it fails. */
export async function bindForPod(request: BindForPod, signal: AbortSignal): Promise<void> {
  const { mounts, logger, source, target, options, group } = request;
  const onLeft = (error: unknown): void => logger.warn('a failed mount leaves something', { path: target, error });
  const mount = (): Promise<void> => mounts.mount({ source, target, options: ['bind', ...options], signal });
  const isNew = await mountOnce({ mounts, target, mount, onLeft }, signal);
  if (isNew && group !== undefined) await giveToGroup(target, group, logger, signal);
}
