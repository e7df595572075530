import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { MemoryMounts, mountsBelow, type MountEntry, type UnmountOptions } from '@podwright/filesystem';

// Magic numbers of linux/magic.h.
const tmpfs = 0x01021994;
const ext4 = 0xef53;

/** What is mounted on a machine. Its mounts have directories of the real disk as their content. */
export class MachineMounts extends MemoryMounts {
  override async unmount(target: string, signal?: AbortSignal, options?: UnmountOptions): Promise<void> {
    const mounted = this.table.findLast(({ mountPoint }) => mountPoint === target);
    await super.unmount(target, signal, options);
    if (mounted !== undefined && hasContent(mounted)) clear(target);
  }

  /** Whether a path is in a volume of a driver, whose content belongs to its users. */
  isData(file: string): boolean {
    return this.table.some(
      ({ fsType, mountPoint, id }) => id > 1 && fsType === 'ext4' && file.startsWith(`${mountPoint}/`),
    );
  }

  /** Whether a mount is at this path or below it: its directory cannot be removed. */
  keeps(directory: string): boolean {
    return mountsBelow(this.table, directory).length > 0;
  }

  /** What a look at a path finds, `stat`, `lstat` or `statfs`, as the mounts change it: another device, another file system. */
  shownAt(path: string, found: unknown): unknown {
    const mount = this.table.findLast(({ mountPoint }) => `${path}/`.startsWith(`${mountPoint}/`));
    const looked = found as { dev?: number | bigint; type?: number | bigint };
    if (typeof looked.dev === 'number') looked.dev += (mount?.id ?? 1) - 1;
    else if (typeof looked.dev === 'bigint') looked.dev += BigInt((mount?.id ?? 1) - 1);
    if (typeof looked.type === 'number') looked.type = mount?.fsType === 'tmpfs' ? tmpfs : ext4;
    return found;
  }

  /** No mount survives the end of all processes. */
  reboot(): void {
    for (const mount of this.table.splice(1)) if (hasContent(mount)) clear(mount.mountPoint);
  }
}

const hasContent = ({ fsType }: MountEntry): boolean => fsType === 'tmpfs' || fsType === 'ext4';

// What was mounted is not seen any more.
function clear(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) rmSync(path.join(directory, name), { recursive: true });
}
