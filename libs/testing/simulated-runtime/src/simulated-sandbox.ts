import { NamespaceMode, PodSandboxState } from '@podwright/cri-client-interface';
import type { DeepPartial, PodSandbox, PodSandboxConfig, PodSandboxStatus } from '@podwright/cri-client-interface';
import { linuxResources, sandboxMetadata, textMap } from './complete-messages.js';

/** One sandbox. `ip` is empty on the host's network, and after the sandbox has stopped. */
export class SimulatedSandbox {
  state: PodSandboxState = PodSandboxState.SANDBOX_READY;
  resources: ReturnType<typeof linuxResources>;

  readonly runtimeHandler: string;
  readonly createdAt: bigint;
  ip: string;

  constructor(
    readonly id: string,
    readonly config: DeepPartial<PodSandboxConfig>,
    { runtimeHandler, createdAt, ip }: Pick<SimulatedSandbox, 'runtimeHandler' | 'createdAt' | 'ip'>,
  ) {
    this.runtimeHandler = runtimeHandler;
    this.createdAt = createdAt;
    this.ip = ip;
    this.resources = linuxResources(config.linux?.resources);
  }

  /** The name that containerd reserves: no other sandbox can have it until this one is removed. */
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
