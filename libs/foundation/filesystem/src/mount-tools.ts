import type { MountEntry } from './mount-table.js';

export interface MountRequest {
  /** A device, a directory or a word such as `tmpfs`. */
  readonly source: string;
  readonly target: string;
  readonly fsType?: string;
  /** With `bind` among them, the mount also gets the other options and the flags of the source, such as `noexec`. */
  readonly options?: readonly string[];
  /** Added to the options, but masked in errors. */
  readonly sensitiveOptions?: readonly string[];
  /**
   * false: mount(8) uses source and target unchanged. Otherwise it resolves the link of an open handle
   * (`/proc/<pid>/fd/<n>`) to a path, which a container may have changed meanwhile. Default true.
   */
  readonly canonicalize?: boolean;
  /**
   * true: mount in a systemd scope of its own where systemd runs, so that a daemon that serves the mount survives a
   * restart of the kubelet's service. Upstream does so for disks that it formats. Default false.
   */
  readonly ownScope?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface UnmountOptions {
  /** Unmount a network file system whose server does not answer: `umount -f`. Default false. */
  readonly force?: boolean;
}

/** Mounts and unmounts file systems. Error messages are upstream's: kubernetes v1.36 mount-utils/mount_linux.go. */
export interface MountTools {
  mount(request: MountRequest): Promise<void>;
  /** Unmounts a target; one that is not mounted is no error. */
  unmount(target: string, signal?: AbortSignal, options?: UnmountOptions): Promise<void>;
  /** The mounts of the node, see {@link readMountTable}. Never touches a mounted file system, so it cannot hang. */
  list(): Promise<readonly MountEntry[]>;
}
