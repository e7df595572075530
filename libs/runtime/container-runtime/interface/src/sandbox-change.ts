import { NamespaceMode, PodSandboxState } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';
import type { RuntimePodStatus } from './runtime-pod.js';

export interface SandboxChange {
  /** True when the pod needs a new sandbox. Apart from the network mode, a change of the spec never causes that. */
  readonly create: boolean;
  /** Attempt number of the sandbox to use or to create. */
  readonly attempt: number;
  /** The sandbox to use or to replace; absent when there is none, or when its network mode is wrong. */
  readonly sandboxId?: string;
}

/**
 * Decides whether the pod needs a new sandbox.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/util/util.go PodSandboxChanged.
 */
export function sandboxChange(pod: Pod, status: RuntimePodStatus): SandboxChange {
  const newest = status.sandboxes[0];
  if (newest === undefined) return { create: true, attempt: 0 };
  const attempt = newest.metadata?.attempt ?? 0;
  const replace = { create: true, attempt: attempt + 1, sandboxId: newest.id };
  const ready = status.sandboxes.filter(({ state }) => state === PodSandboxState.SANDBOX_READY).length;
  if (ready > 1 || newest.state !== PodSandboxState.SANDBOX_READY) return replace;
  const hostNetwork = pod.spec.hostNetwork === true;
  const networkMode = newest.linux?.namespaces?.options?.network ?? NamespaceMode.POD;
  if (networkMode !== (hostNetwork ? NamespaceMode.NODE : NamespaceMode.POD))
    return { create: true, attempt: attempt + 1 };
  if (!hostNetwork && newest.network !== undefined && newest.network.ip === '') return replace;
  return { create: false, attempt, sandboxId: newest.id };
}
