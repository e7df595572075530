import { containerIdOf, lastCgroupName } from '@podwright/cgroup-files';
import type { CgroupSample } from '@podwright/cgroup-stats-interface';

/**
 * Finds readings by the container or pod id in the last component of the cgroup path, with any cgroup driver and runtime.
 */
export class CgroupIndex {
  private readonly byName = new Map<string, CgroupSample>();

  constructor(samples: readonly CgroupSample[]) {
    for (const sample of samples) {
      const containerId = containerIdOf(sample.path);
      // The last part of `crio-conmon-<id>.scope` is the id of the container that it watches.
      if (containerId === undefined && sample.path.includes('/crio-conmon-')) continue;
      this.byName.set(containerId ?? lastCgroupName(sample.path), sample);
    }
  }

  pod(podUid: string): CgroupSample | undefined {
    return this.byName.get(`pod${podUid}`);
  }

  /**
   * Reading of a container or sandbox. Undefined without cpu and memory controllers, so that the runtime's numbers
   * stay.
   */
  container(id: string): CgroupSample | undefined {
    const sample = this.byName.get(id);
    return sample?.cpu === undefined && sample?.memory === undefined ? undefined : sample;
  }
}
