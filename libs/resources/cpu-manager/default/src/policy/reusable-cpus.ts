import { isSidecar, podUid, type Container, type Pod } from '@podwright/kube-types';
import { cpuDifference, cpuUnion, type CpuSet } from '@podwright/machine';

/**
 * CPUs of init containers that have ended by the time the later containers of their pod run. One pod at a time is remembered,
 * as pods are admitted one after another.
 */
export class ReusableCpus {
  private podUid: string | undefined;
  private cpus: CpuSet = [];

  of(uid: string): CpuSet {
    return uid === this.podUid ? this.cpus : [];
  }

  /** A sidecar goes on running, so its CPUs are not for others. */
  update(pod: Pod, container: Container, cpus: CpuSet): void {
    const before = this.of(podUid(pod));
    this.podUid = podUid(pod);
    const init = pod.spec.initContainers?.find(({ name }) => name === container.name);
    this.cpus = init !== undefined && !isSidecar(init) ? cpuUnion(before, cpus) : cpuDifference(before, cpus);
  }
}
