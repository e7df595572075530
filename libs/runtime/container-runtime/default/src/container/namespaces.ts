import type { DeepPartial, NamespaceOption } from '@podwright/cri-client-interface';
import { NamespaceMode } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';

/**
 * Which namespaces the pod has of its own. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/util/util.go
 * NamespacesForPod.
 */
export function podNamespaces(pod: Pod): DeepPartial<NamespaceOption> {
  const { hostNetwork, hostIPC, hostPID, hostUsers, shareProcessNamespace } = pod.spec;
  if (hostUsers === false) {
    // Fails closed: a pod that asked for a user namespace must not run as root of the node.
    throw new KubeletError('user namespaces are not supported', { code: 'unimplemented' });
  }
  return {
    network: hostNetwork === true ? NamespaceMode.NODE : NamespaceMode.POD,
    ipc: hostIPC === true ? NamespaceMode.NODE : NamespaceMode.POD,
    pid:
      hostPID === true
        ? NamespaceMode.NODE
        : shareProcessNamespace === true
          ? NamespaceMode.POD
          : NamespaceMode.CONTAINER,
    usernsOptions: { mode: NamespaceMode.NODE },
  };
}
