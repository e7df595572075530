import { PodSandboxState, podUidLabel, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, rpcErrorText } from '@podwright/errors';
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
  const { items } = await runtime.listPodSandbox({ filter }, { signal }).catch(unknown('pod'));
  const [newest] = [...items].sort((a, b) => (a.createdAt > b.createdAt ? -1 : a.createdAt < b.createdAt ? 1 : 0));
  if (newest === undefined) {
    const message = 'unable to get pod, event handlers may be invalid: pod sandboxes not found';
    throw new KubeletError(message, { code: 'not-found' });
  }
  const { status } = await runtime
    .podSandboxStatus({ podSandboxId: newest.id }, { signal })
    .catch(unknown('pod status'));
  const ip = status?.state === PodSandboxState.SANDBOX_READY ? (status.network?.ip ?? '') : '';
  if (ip !== '') return ip;
  const { name = '', namespace = '' } = pod.metadata;
  throw new KubeletError(`failed to find networking container: &{${uid} ${name} ${namespace} []}`, {
    code: 'failed-precondition',
  });
}

function unknown(what: string): (error: unknown) => never {
  return (cause) => {
    const message = `unable to get ${what}, event handlers may be invalid: ${rpcErrorText(cause)}`;
    throw new KubeletError(message, { code: KubeletError.from(cause).code, cause });
  };
}
