import { createToken } from '@podwright/assembly-interface';
import type { DeepPartial, DNSConfig, Device, Mount } from '@podwright/cri-client-interface';
import type { Container, Pod } from '@podwright/kube-types';

export interface PodSurroundings {
  /** Host name inside the pod (without domain); not sent to the runtime for host-network pods. */
  readonly hostname: string;
  /** Domain of the pod, empty when it has no subdomain. */
  readonly hostDomain: string;
  /** Host name for RunPodSandbox; differs from `hostname` with setHostnameAsFQDN. */
  readonly sandboxHostname: string;
  readonly dnsConfig: DeepPartial<DNSConfig>;
}

export interface ContainerSurroundings {
  /**
   * First the variables of resource managers, then those of the pod; of several with one name the last counts. A value has
   * its bytes from `bytesOfVariable`.
   */
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  /**
   * Mounts of resource managers, then volume mounts in order, then the hosts file. The ContainerRuntime adds the
   * termination log itself.
   */
  readonly mounts: readonly DeepPartial<Mount>[];
  /** Mounts of image volumes, without their images: the ContainerRuntime pulls those. Absent: there are none. */
  readonly imageMounts?: readonly { readonly volumeName: string; readonly mount: DeepPartial<Mount> }[];
  /** Devices of resource managers, then block volumes in order. */
  readonly devices: readonly DeepPartial<Device>[];
  readonly annotations: Readonly<Record<string, string>>;
  /** Fully qualified names of the Container Device Interface; absent when there are none. */
  readonly cdiDevices?: readonly string[];
}

/**
 * Computes the environment of a pod's containers: host name, DNS, variables, mounts, devices (upstream:
 * Kubelet.GenerateRunContainerOptions, GetPodDNS, GeneratePodHostNameAndDomain; kubernetes v1.36
 * pkg/kubelet/kubelet_pods.go, network/dns/dns.go). Both methods reject with a KubeletError whose message becomes the
 * waiting message of CreateContainerConfigError.
 */
export interface ContainerEnvironment {
  forPod(pod: Pod): Promise<PodSurroundings>;
  /** `podIps` are the current IPs of the sandbox, for the hosts file and the downward API. */
  forContainer(pod: Pod, container: Container, podIps: readonly string[]): Promise<ContainerSurroundings>;
}

export const CONTAINER_ENVIRONMENT = createToken<ContainerEnvironment>('kubelet.container-environment/v1');
