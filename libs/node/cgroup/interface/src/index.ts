export { CGROUP_MANAGER } from './cgroup-manager.js';
export type { CgroupManager } from './cgroup-manager.js';
