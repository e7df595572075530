import type { ContainerRuntime } from '@podwright/container-runtime-interface';
import type { ContainerRuntimeConfig } from './container-runtime-config.js';
import { containerRuntimeConfigSchema } from './container-runtime-config.js';
import { decodeOptions } from './decode-options.js';
import { KubeContainerRuntime } from './kube-container-runtime.js';
import type { ContainerRuntimeDeps } from './runtime-deps.js';

/** The container runtime without an assembly. Throws `invalid-argument` for a wrong option, naming it. */
export function createContainerRuntime(
  deps: ContainerRuntimeDeps,
  options: Partial<ContainerRuntimeConfig> = {},
): ContainerRuntime {
  return new KubeContainerRuntime(
    deps.runtime,
    deps.imageService,
    deps.images,
    deps.environment,
    deps.recorder,
    deps.probes,
    deps.hooks,
    deps.memory,
    deps.cgroups,
    deps.podCgroups,
    deps.actuated,
    deps.volumes,
    deps.runtimeClasses,
    deps.userNamespaces,
    deps.clock,
    deps.random,
    deps.logger,
    deps.metrics,
    decodeOptions(containerRuntimeConfigSchema, options),
    deps.internalLifecycle,
    deps.exclusiveCpus,
  );
}
