import { NamespaceMode, PodSandboxState } from '@podwright/cri-client-interface';
import type { DeepPartial, PodSandbox, PodSandboxConfig, PodSandboxStatus } from '@podwright/cri-client-interface';
import { linuxResources, sandboxMetadata, textMap } from './complete-messages.js';

/** One sandbox; `ip` is empty in the host's network, and after the stop. */
export class SimulatedSandbox {
  state: PodSandboxState = PodSandboxState.SANDBOX_READY;
  resources: ReturnType<typeof linuxResources>;

  constructor(
    readonly id: string,
    readonly config: DeepPartial<PodSandboxConfig>,
    readonly runtimeHandler: string,
    readonly createdAt: bigint,
    public ip: string,
  ) {
    this.resources = linuxResources(config.linux?.resources);
  }

  /** What containerd reserves: no second sandbox may have it before this one is removed. */
  static nameOf(config: DeepPartial<PodSandboxConfig>): string {
    const { name, namespace, uid, attempt } = sandboxMetadata(config.metadata);
    return `${name}_${namespace}_${uid}_${attempt}`;
  }

  static usesHostNetwork(config: DeepPartial<PodSandboxConfig>): boolean {
    return config.linux?.securityContext?.namespaceOptions?.network === NamespaceMode.NODE;
  }

  get ready(): boolean {
    return this.state === PodSandboxState.SANDBOX_READY;
  }

  get podUid(): string {
    return this.config.metadata?.uid ?? '';
  }

  listed(): PodSandbox {
    const { id, config, state, createdAt, runtimeHandler } = this;
    return {
      id,
      metadata: sandboxMetadata(config.metadata),
      state,
      createdAt,
      labels: textMap(config.labels),
      annotations: textMap(config.annotations),
      runtimeHandler,
    };
  }

  status(): PodSandboxStatus {
    const options = this.config.linux?.securityContext?.namespaceOptions;
    const { network = 0, pid = 0, ipc = 0, targetId = '' } = options ?? {};
    return {
      ...this.listed(),
      network: { ip: this.ip, additionalIps: [] },
      linux: { namespaces: { options: { network, pid, ipc, targetId, usernsOptions: undefined } } },
    };
  }
}
