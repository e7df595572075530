import type { Logger } from '@podwright/logging';
import { setVolumeOwnership, type VolumeOwnership } from './set-volume-ownership.js';

/**
 * {@link setVolumeOwnership} for volumes that a pod gets even when that fails: failures are only logged. Rejects when
 * the signal aborts.
 */
export async function giveToGroup(
  path: string,
  ownership: Omit<VolumeOwnership, 'onError'>,
  logger: Pick<Logger, 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  const onError = (failed: string, error: unknown): void =>
    logger.warn('cannot change the owner of a volume', { path: failed, error });
  try {
    await setVolumeOwnership(path, { ...ownership, onError }, signal);
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('cannot walk a volume to change its owner', { path, error });
  }
}
