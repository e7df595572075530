import type { CgroupFiles } from './cgroup-files.js';
import type { CgroupHierarchy } from './cgroup-hierarchies.js';
import { usedControllers, type CgroupTree } from './cgroup-tree.js';
import { CgroupV1Tree } from './cgroup-v1-tree.js';
import { CgroupV2Tree } from './cgroup-v2-tree.js';

/** The tree that has the controllers: where v1 ones are mounted, a v2 hierarchy beside them has none. Undefined without any. */
export function openCgroupTree(files: CgroupFiles, hierarchies: readonly CgroupHierarchy[]): CgroupTree | undefined {
  const limiting = usedControllers.v1.filter((name) => name !== 'systemd');
  if (hierarchies.some(({ controllers }) => limiting.some((name) => controllers.includes(name)))) {
    return new CgroupV1Tree(files, hierarchies);
  }
  const unified = hierarchies.find(({ version }) => version === 2);
  return unified && new CgroupV2Tree(files, unified.mountPoint);
}
