import { PodSandboxState, podUidLabel, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { podUid, type Pod } from '@podwright/kube-types';

/**
 * The pod's first IP from the runtime: during postStart no status has it yet. Rejects when the pod has no IP of its
 * own, as on the host network. Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go runHTTPHandler.
 */
export async function podIpNow(
  runtime: Pick<RuntimeService, 'listPodSandbox' | 'podSandboxStatus'>,
  pod: Pod,
  signal: AbortSignal,
): Promise<string> {
  const uid = podUid(pod);
  const filter = { labelSelector: { [podUidLabel]: uid } };
  const { items } = await runtime.listPodSandbox({ filter }, { signal });
  const [newest] = [...items].sort((a, b) => (a.createdAt > b.createdAt ? -1 : a.createdAt < b.createdAt ? 1 : 0));
  if (newest !== undefined) {
    const { status } = await runtime.podSandboxStatus({ podSandboxId: newest.id }, { signal });
    const ip = status?.state === PodSandboxState.SANDBOX_READY ? (status.network?.ip ?? '') : '';
    if (ip !== '') return ip;
  }
  const { name = '', namespace = '' } = pod.metadata;
  throw new KubeletError(`failed to find networking container: &{${uid} ${name} ${namespace} []}`, {
    code: 'failed-precondition',
  });
}
