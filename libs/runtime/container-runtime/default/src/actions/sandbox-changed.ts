import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import { NamespaceMode, PodSandboxState } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';

export interface SandboxDecision {
  readonly create: boolean;
  readonly attempt: number;
  /** Id of the sandbox to keep, or of the replaced one when an event must mention it. */
  readonly sandboxId: string | undefined;
}

/**
 * Decides whether the pod needs a new sandbox. Only the sandbox's own state matters; changes of spec, labels or image
 * do not. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/util/util.go PodSandboxChanged.
 */
export function sandboxChanged(pod: Pod, status: RuntimePodStatus): SandboxDecision {
  const [newest] = status.sandboxes;
  if (newest === undefined) return { create: true, attempt: 0, sandboxId: undefined };
  const attempt = newest.metadata?.attempt ?? 0;
  const replaced: SandboxDecision = { create: true, attempt: attempt + 1, sandboxId: newest.id };
  const ready = status.sandboxes.filter(({ state }) => state === PodSandboxState.SANDBOX_READY).length;
  if (ready > 1 || newest.state !== PodSandboxState.SANDBOX_READY) return replaced;
  const hostNetwork = pod.spec.hostNetwork === true;
  // The zero value is POD, so a runtime that reports no namespaces counts as using the pod's own network.
  const mode = newest.linux?.namespaces?.options?.network ?? NamespaceMode.POD;
  if (mode !== (hostNetwork ? NamespaceMode.NODE : NamespaceMode.POD)) return { ...replaced, sandboxId: undefined };
  if (!hostNetwork && newest.network !== undefined && newest.network.ip === '') return replaced;
  return { create: false, attempt, sandboxId: newest.id };
}
