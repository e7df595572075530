import type { CgroupFiles } from './cgroup-files.js';
import { controllersVersion, type CgroupHierarchy } from '@podwright/cgroup-files';
import type { CgroupTree } from './cgroup-tree.js';
import { CgroupV1Tree } from './cgroup-v1-tree.js';
import { CgroupV2Tree } from './cgroup-v2-tree.js';

/**
 * Opens the tree that has the controllers: v1 when v1 controllers are mounted, as a v2 hierarchy beside them has none.
 * Undefined without any.
 */
export function openCgroupTree(
  files: CgroupFiles,
  hierarchies: readonly CgroupHierarchy[],
  { balanceLoad = true } = {},
): CgroupTree | undefined {
  if (controllersVersion(hierarchies) === 1) return new CgroupV1Tree(files, hierarchies, balanceLoad);
  const unified = hierarchies.find(({ version }) => version === 2);
  return unified && new CgroupV2Tree(files, unified.mountPoint);
}
