import { KubeletError } from '@podwright/errors';

/** A range of host ids, the same for users and groups. */
export interface IdRange {
  readonly firstId: number;
  readonly length: number;
}

/** One past the highest id that the kernel knows. */
const idLimit = 2 ** 32;

/** All ids above the first block: the host's own ids must never be given to a pod. */
export function defaultIdRange(idsPerPod: number): IdRange {
  return { firstId: idsPerPod, length: idLimit - idsPerPod };
}

/**
 * Checks that a range can be divided into blocks for `maxPods` pods. Throws `failed-precondition` otherwise. Source:
 * kubernetes v1.36 pkg/kubelet/userns/userns_manager.go MakeUserNsManager.
 */
export function checkIdRange({ firstId, length }: IdRange, idsPerPod: number, maxPods: number): void {
  const refuse = (problem: string): never => {
    throw new KubeletError(problem, { code: 'failed-precondition' });
  };
  if (firstId % idsPerPod !== 0) refuse(`kubelet user assigned ID ${firstId} is not a multiple of ${idsPerPod}`);
  if (firstId < idsPerPod) refuse(`kubelet user assigned ID ${firstId} must be greater or equal to ${idsPerPod}`);
  if (length % idsPerPod !== 0) {
    refuse(`kubelet user assigned IDs length ${length} is not a multiple of ${idsPerPod}`);
  }
  if (length / idsPerPod < maxPods) refuse(`kubelet user assigned IDs are not enough to support ${maxPods} pods`);
}
