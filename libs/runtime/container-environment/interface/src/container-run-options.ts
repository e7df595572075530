import { createToken } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';

/** Additions of the resource managers to a container's configuration. */
export interface ContainerRunOptions {
  /** They come before the pod's own variables, so the pod's win. */
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  /** They come before the volume mounts; private propagation, no SELinux relabelling. */
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

/**
 * Collects the resource managers' additions to a container's configuration.
 * Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go GetResources.
 */
export interface ContainerRunOptionsSource {
  /**
   * Called at each start of the container; undefined when there are no additions. When it rejects, the container waits
   * with CreateContainerConfigError and that message.
   */
  runOptionsOf(pod: Pod, container: Container): Promise<ContainerRunOptions | undefined>;
}

/** Require it as optional: without a provider there are no additions. */
export const CONTAINER_RUN_OPTIONS = createToken<ContainerRunOptionsSource>('kubelet.container-run-options/v1');
