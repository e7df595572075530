import { createToken } from '@podwright/assembly-interface';
import type { DeepPartial, LinuxContainerResources } from '@podwright/cri-client-interface';
import type { Container, Pod } from '@podwright/kube-types';

/** Resources as the CRI takes them: CPU shares and quota, memory, huge pages, OOM score, files of cgroup v2. */
export type CriResources = DeepPartial<LinuxContainerResources>;

/** Translates requests and limits into the values of the CRI, according to the node's settings. */
export interface LinuxResources {
  ofContainer(pod: Pod, container: Container): Promise<CriResources>;
  /** The pod as a whole, without its overhead. */
  ofSandbox(pod: Pod): CriResources;
  /** Empty for a pod without overhead. */
  overheadOf(pod: Pod): CriResources;
}

export const LINUX_RESOURCES = createToken<LinuxResources>('kubelet.linux-resources/v1');
