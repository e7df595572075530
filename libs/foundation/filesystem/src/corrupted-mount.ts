const corrupted: ReadonlySet<unknown> = new Set([
  'ENOTCONN',
  'ESTALE',
  'EIO',
  'EACCES',
  'EHOSTDOWN',
  'EWOULDBLOCK',
  'EAGAIN', // Node's name of EWOULDBLOCK
  'ENODEV',
]);

/**
 * Whether a file system error means that the mount itself is broken, such as a FUSE mount without its daemon. Source:
 * kubernetes v1.36 mount-utils/mount_helper_unix.go IsCorruptedMnt.
 */
export function isCorruptedMount(error: unknown): boolean {
  return typeof error === 'object' && error !== null && corrupted.has((error as { code?: unknown }).code);
}
