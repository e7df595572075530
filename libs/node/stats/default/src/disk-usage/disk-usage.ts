/** Numbers of one file system, in bytes and inodes. */
export interface FileSystemNumbers {
  readonly availableBytes: number;
  readonly capacityBytes: number;
  readonly usedBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
}

/** What was counted. Not complete: at least this much, as the tree is too deep or took too long. */
export interface CountedUsage {
  readonly bytes: number;
  readonly inodes: number;
  readonly complete: boolean;
}

/** Of a path and all below it, with the file system that it lies on. */
export interface TreeUsage extends CountedUsage {
  readonly fileSystem: FileSystemNumbers;
}

/** Of the files of a folder and, by name, of the files of the folders in it; nothing deeper. */
export interface FolderUsage {
  readonly own: CountedUsage;
  readonly folders: Readonly<Record<string, CountedUsage>>;
}

/**
 * What files take on disk: blocks in use, a file with several names once, nothing of other devices, no link followed.
 * Source: kubernetes v1.36 pkg/volume/util/fs/fs.go DiskUsage.
 */
export interface DiskUsage {
  /** Rejects with `not-found` when nothing is there, with the signal's reason, or when the count is stuck. */
  tree(path: string, signal: AbortSignal): Promise<TreeUsage>;
  /** In the order of the paths; undefined for one that is missing or cannot be read. */
  folders(paths: readonly string[], signal: AbortSignal): Promise<readonly (FolderUsage | undefined)[]>;
}
