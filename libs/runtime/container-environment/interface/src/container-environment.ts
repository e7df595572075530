import { createToken } from '@podwright/assembly-interface';
import type { DeepPartial, DNSConfig, Device, Mount } from '@podwright/cri-client-interface';
import type { Container, Pod } from '@podwright/kube-types';

export interface PodSurroundings {
  /** Host name inside the pod (without domain); not sent to the runtime for host-network pods. */
  readonly hostname: string;
  /** Domain of the pod, empty when it has no subdomain. */
  readonly hostDomain: string;
  /** What RunPodSandbox gets as host name; differs from `hostname` with setHostnameAsFQDN. */
  readonly sandboxHostname: string;
  readonly dnsConfig: DeepPartial<DNSConfig>;
}

export interface ContainerSurroundings {
  /** Those of resource managers, then those of the pod; a later one of the same name counts. */
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  /** Mounts of resource managers, volume mounts in order, then the hosts file. The termination log is the container runtime's own. */
  readonly mounts: readonly DeepPartial<Mount>[];
  readonly devices: readonly DeepPartial<Device>[];
  readonly annotations: Readonly<Record<string, string>>;
  /** Fully qualified names of the Container Device Interface; absent when there are none. */
  readonly cdiDevices?: readonly string[];
}

/**
 * Makes what surrounds the containers of a pod (upstream: Kubelet.GenerateRunContainerOptions, GetPodDNS,
 * GeneratePodHostNameAndDomain; kubernetes v1.36 pkg/kubelet/kubelet_pods.go, network/dns/dns.go).
 * Failures reject with a KubeletError whose message becomes the waiting message of CreateContainerConfigError.
 */
export interface ContainerEnvironment {
  forPod(pod: Pod): Promise<PodSurroundings>;
  /** `podIps` are those of the sandbox just read; they are written into the hosts file and the downward API. */
  forContainer(pod: Pod, container: Container, podIps: readonly string[]): Promise<ContainerSurroundings>;
}

export const CONTAINER_ENVIRONMENT = createToken<ContainerEnvironment>('kubelet.container-environment/v1');
