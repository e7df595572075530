import { createToken } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';

/** What the managers of a container's resources want in its configuration. */
export interface ContainerRunOptions {
  /** Before the pod's own variables, so that these win. */
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  /** Before the volume mounts; private, without a new SELinux label. */
  readonly mounts: readonly { readonly hostPath: string; readonly containerPath: string; readonly readOnly: boolean }[];
  /** `permissions`: letters of `rwm`. */
  readonly devices: readonly {
    readonly hostPath: string;
    readonly containerPath: string;
    readonly permissions: string;
  }[];
  /** The kubelet's own keys overwrite them. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Fully qualified names of the Container Device Interface. */
  readonly cdiDevices: readonly string[];
}

/** Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go GetResources. */
export interface ContainerRunOptionsSource {
  /** Asked at each start of the container. A rejection becomes the waiting message of CreateContainerConfigError. */
  runOptionsOf(pod: Pod, container: Container): Promise<ContainerRunOptions | undefined>;
}

/** Optional: without a provider nobody wants anything. */
export const CONTAINER_RUN_OPTIONS = createToken<ContainerRunOptionsSource>('kubelet.container-run-options/v1');
