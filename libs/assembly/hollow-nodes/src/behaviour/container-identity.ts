import type { ContainerConfig, ContainerMetadata, DeepPartial } from '@podwright/cri-client-interface';

/** One container of a pod on a node. */
export interface ContainerIdentity {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly image: string;
}

/** The container that a config is about, by the labels that the kubelet sets. */
export function identityOf(
  node: string,
  { name }: Pick<ContainerMetadata, 'name'>,
  config: DeepPartial<ContainerConfig>,
): ContainerIdentity {
  const labels = config.labels ?? {};
  return {
    node,
    namespace: labels['io.kubernetes.pod.namespace'] ?? '',
    pod: labels['io.kubernetes.pod.name'] ?? '',
    container: name,
    image: config.image?.userSpecifiedImage || (config.image?.image ?? ''),
  };
}
