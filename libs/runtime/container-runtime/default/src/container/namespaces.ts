import type { DeepPartial, NamespaceOption } from '@podwright/cri-client-interface';
import { NamespaceMode } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import type { UserNamespaces } from '@podwright/user-namespace-interface';

export type Namespaces = DeepPartial<NamespaceOption>;

/** Sources of what the pod spec does not contain. */
export interface NamespaceSources {
  readonly runtimeClasses: Pick<RuntimeClasses, 'handlerOf'>;
  readonly userNamespaces: Pick<UserNamespaces, 'getOrCreate'>;
}

/**
 * The namespaces of the pod. Rejects for an unknown runtime class, and for a user namespace that the node does not
 * support: the pod must not run as the node's root instead. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/util/util.go NamespacesForPod.
 */
export async function podNamespaces(pod: Pod, sources: NamespaceSources): Promise<Namespaces> {
  const { hostNetwork, hostIPC, hostPID, runtimeClassName, shareProcessNamespace } = pod.spec;
  const handler = sources.runtimeClasses.handlerOf(runtimeClassName);
  return {
    network: hostNetwork === true ? NamespaceMode.NODE : NamespaceMode.POD,
    ipc: hostIPC === true ? NamespaceMode.NODE : NamespaceMode.POD,
    pid:
      hostPID === true
        ? NamespaceMode.NODE
        : shareProcessNamespace === true
          ? NamespaceMode.POD
          : NamespaceMode.CONTAINER,
    usernsOptions: await sources.userNamespaces.getOrCreate(pod, handler),
  };
}
