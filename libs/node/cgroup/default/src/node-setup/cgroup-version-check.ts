import path from 'node:path';
import { controllersVersion, type CgroupHierarchy } from '@podwright/cgroup-files';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { CgroupFiles } from '../cgroup-files.js';

export interface CgroupVersionCheckDeps {
  readonly files: Pick<CgroupFiles, 'exists'>;
  readonly events: Pick<EventRecorder, 'event'> | undefined;
  readonly logger: Logger;
}

const deprecated =
  'cgroup v1 detected. cgroup v1 support is deprecated and will be removed in a future release. Please migrate to cgroup v2. More information at https://git.k8s.io/enhancements/keps/sig-node/5573-remove-cgroup-v1';
// Kernels before 5.8. The missing space is upstream's.
const oldKernel =
  "cgroup v2 is being used on a kernel, which doesn't support root `cpu.stat`.Kubelet will continue, but may experience instability or wrong behavior";

/** Warns about cgroups that will stop working. Source: kubernetes v1.36 pkg/kubelet/kubelet_linux.go. */
export async function checkCgroupVersion(
  hierarchies: readonly CgroupHierarchy[],
  { files, events, logger }: CgroupVersionCheckDeps,
): Promise<void> {
  if (controllersVersion(hierarchies) === 1) {
    events?.event({ kind: 'Node' }, 'Warning', 'CgroupV1', deprecated);
    logger.debug(2, 'Warning: cgroup check', { error: deprecated });
    return;
  }
  const root = hierarchies.find(({ version }) => version === 2)?.mountPoint;
  if (root !== undefined && !(await files.exists(path.join(root, 'cpu.stat'))))
    logger.debug(2, 'Warning: cgroup check', { error: oldKernel });
}
