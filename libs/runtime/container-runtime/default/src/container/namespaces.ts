import type { DeepPartial, NamespaceOption } from '@podwright/cri-client-interface';
import { NamespaceMode } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import type { UserNamespaces } from '@podwright/user-namespace-interface';

export type Namespaces = DeepPartial<NamespaceOption>;

/** Who knows what the pod itself does not say. */
export interface NamespaceSources {
  readonly runtimeClasses: Pick<RuntimeClasses, 'handlerOf'>;
  readonly userNamespaces: Pick<UserNamespaces, 'getOrCreate'>;
}

/**
 * Which namespaces the pod has of its own. Rejects for an unknown runtime class, and for a pod with users of its own
 * that cannot have them: it must not run as root of the node instead. Source: kubernetes v1.36
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
