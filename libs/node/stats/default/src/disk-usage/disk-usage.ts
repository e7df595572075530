/** Capacity and usage of one file system, in bytes and inodes. */
export interface FileSystemNumbers {
  readonly availableBytes: number;
  readonly capacityBytes: number;
  readonly usedBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
}

/** The result of a count. `complete: false`: a lower bound, because the tree is too deep or took too long. */
export interface CountedUsage {
  readonly bytes: number;
  readonly inodes: number;
  readonly complete: boolean;
}

/** Usage of a path and everything below it, and the numbers of its file system. */
export interface TreeUsage extends CountedUsage {
  readonly fileSystem: FileSystemNumbers;
}

/** Usage of the files in a folder and, by name, of the files in its direct subfolders; nothing deeper. */
export interface FolderUsage {
  readonly own: CountedUsage;
  readonly folders: Readonly<Record<string, CountedUsage>>;
}

/**
 * Disk usage of files: allocated blocks, hard-linked files once; stays on one device and follows no links.
 * Source: kubernetes v1.36 pkg/volume/util/fs/fs.go DiskUsage.
 */
export interface DiskUsage {
  /** Rejects with `not-found` for a missing path, with the signal's reason, or when the count hangs. */
  tree(path: string, signal: AbortSignal): Promise<TreeUsage>;
  /** In the order of the paths; undefined for a missing or unreadable one. */
  folders(paths: readonly string[], signal: AbortSignal): Promise<readonly (FolderUsage | undefined)[]>;
}
