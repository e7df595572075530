import { KubeletError } from '@podwright/errors';

/**
 * Why a disk was not mounted; the `reason` of the error. Source: kubernetes v1.36 mount-utils/mount_linux.go,
 * mount.go MountErrorType.
 */
export type DiskFailure =
  | 'FilesystemMismatch'
  | 'HasFilesystemErrors'
  | 'UnformattedReadOnly'
  | 'FormatFailed'
  | 'GetDiskFormatFailed'
  | 'UnknownMountError';

export function diskError(reason: DiskFailure, message: string, cause?: unknown): KubeletError {
  const { code } = cause === undefined ? { code: 'failed-precondition' as const } : KubeletError.from(cause);
  return new KubeletError(message, { code, reason, cause });
}
