import { isSidecar, podUid, type Container, type Pod } from '@podwright/kube-types';
import { cpuDifference, cpuUnion, type CpuSet } from '@podwright/machine';

/**
 * CPUs of init containers, which end before the later containers of their pod run and so can be reused. Remembers one
 * pod only, as pods are admitted one at a time.
 */
export class ReusableCpus {
  private podUid: string | undefined;
  private cpus: CpuSet = [];

  of(uid: string): CpuSet {
    return uid === this.podUid ? this.cpus : [];
  }

  /** A sidecar keeps running, so others cannot reuse its CPUs. */
  update(pod: Pod, container: Container, cpus: CpuSet): void {
    const before = this.of(podUid(pod));
    this.podUid = podUid(pod);
    const init = pod.spec.initContainers?.find(({ name }) => name === container.name);
    this.cpus = init !== undefined && !isSidecar(init) ? cpuUnion(before, cpus) : cpuDifference(before, cpus);
  }
}
