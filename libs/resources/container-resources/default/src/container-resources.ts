import { ADMISSION_HANDLERS, type AdmissionHandlers } from '@podwright/admission-interface';
import type { Lifecycle } from '@podwright/assembly-interface';
import type { ContainerRunOptions, ContainerRunOptionsSource } from '@podwright/container-environment-interface';
import type { InternalContainerLifecycle } from '@podwright/container-runtime-interface';
import { CPU_MANAGER, type CpuManager } from '@podwright/cpu-manager-interface';
import type { ContainerConfig, DeepPartial, LinuxContainerResources } from '@podwright/cri-client-interface';
import { DEVICE_MANAGER, type DeviceManager } from '@podwright/device-manager-interface';
import { KubeletError } from '@podwright/errors';
import { podUid, type Container, type Pod } from '@podwright/kube-types';
import { formatCpuList } from '@podwright/machine';
import { MEMORY_MANAGER, type MemoryManager } from '@podwright/memory-manager-interface';
import type { ContainerAssignments, ResourceAssignments } from '@podwright/pod-resources-interface';
import { TOPOLOGY_MANAGER, type TopologyManager } from '@podwright/topology-manager-interface';
import { inject, injectable } from 'tsyringe';

type Config = DeepPartial<ContainerConfig>;

/**
 * Brings what the managers of devices, CPUs and memory have decided to admission, to the containers and to monitoring agents.
 * Source: kubernetes v1.36 pkg/kubelet/cm/internal_container_lifecycle.go, pkg/kubelet/cm/container_manager_linux.go.
 */
@injectable()
export class ContainerResources
  implements InternalContainerLifecycle, ContainerRunOptionsSource, ResourceAssignments, Lifecycle
{
  private readonly removals: (() => void)[] = [];

  constructor(
    @inject(TOPOLOGY_MANAGER) private readonly topology: TopologyManager,
    @inject(ADMISSION_HANDLERS) private readonly admission: AdmissionHandlers,
    @inject(DEVICE_MANAGER, { isOptional: true }) private readonly devices: DeviceManager | undefined,
    @inject(CPU_MANAGER, { isOptional: true }) private readonly cpus: CpuManager | undefined,
    @inject(MEMORY_MANAGER, { isOptional: true }) private readonly memory: MemoryManager | undefined,
  ) {}

  async start(): Promise<void> {
    // In upstream's order: what devices take first, CPUs and memory follow.
    for (const provider of [this.devices, this.cpus, this.memory])
      if (provider !== undefined) this.removals.push(this.topology.addHintProvider(provider));
    this.removals.push(
      this.admission.add('topology', async (pod) => {
        try {
          await this.topology.admit(pod);
          return undefined;
        } catch (error) {
          const { reason, message } = KubeletError.from(error);
          if (reason === undefined) throw error;
          return { admit: false, reason, message };
        }
      }),
    );
  }

  async stop(): Promise<void> {
    for (const remove of this.removals.splice(0).reverse()) remove();
  }

  async runOptionsOf(pod: Pod, container: Container): Promise<ContainerRunOptions | undefined> {
    return this.devices?.runOptionsOf(pod, container);
  }

  async preCreateContainer(pod: Pod, container: Container, config: Config): Promise<Config> {
    const uid = podUid(pod);
    const cpus = this.cpus?.cpusOf(uid, container.name) ?? [];
    const numaNodes = this.memory?.numaNodesOf(uid, container.name) ?? [];
    const changes: DeepPartial<LinuxContainerResources> = {
      ...(cpus.length > 0 && { cpusetCpus: formatCpuList(cpus) }),
      // Without ranges, as upstream writes it.
      ...(numaNodes.length > 0 && { cpusetMems: numaNodes.join(',') }),
    };
    if (Object.keys(changes).length === 0) return config;
    return { ...config, linux: { ...config.linux, resources: { ...config.linux?.resources, ...changes } } };
  }

  async preStartContainer(pod: Pod, container: Container, containerId: string): Promise<void> {
    this.cpus?.addContainer(pod, container, containerId);
    this.memory?.addContainer(pod, container, containerId);
    this.topology.addContainer(pod, container, containerId);
  }

  async postStopContainer(containerId: string): Promise<void> {
    // CPUs and memory stay with the pod until it is not active any more.
    this.topology.removeContainer(containerId);
  }

  of(uid: string, container: string): ContainerAssignments {
    return {
      devices: this.devices?.devicesOf(uid, container) ?? [],
      cpuIds: this.cpus?.exclusiveCpusOf(uid, container) ?? [],
      memory: (this.memory?.memoryOf(uid, container) ?? []).map(memoryAssignment),
      claims: [],
    };
  }

  allocatable(): Omit<ContainerAssignments, 'claims'> {
    return {
      devices: this.devices?.allocatableDevices() ?? [],
      cpuIds: this.cpus?.allocatableCpus() ?? [],
      memory: (this.memory?.allocatableMemory() ?? []).map(memoryAssignment),
    };
  }

  // Upstream asks the device manager alone; CPUs and memory are looked after when somebody wants some.
  releaseInactive(): void {
    this.devices?.releaseInactive();
  }
}

function memoryAssignment({ type, bytes, numaNodes }: ReturnType<MemoryManager['memoryOf']>[number]): {
  readonly memoryType: string;
  readonly bytes: number;
  readonly numaNodes: readonly number[];
} {
  return { memoryType: type, bytes, numaNodes };
}

export interface ContainerResourcesDeps {
  readonly topology: TopologyManager;
  readonly admission: AdmissionHandlers;
  readonly devices?: DeviceManager;
  readonly cpus?: CpuManager;
  readonly memory?: MemoryManager;
}

/** Makes one without a container. */
export function createContainerResources(deps: ContainerResourcesDeps): ContainerResources {
  return new ContainerResources(deps.topology, deps.admission, deps.devices, deps.cpus, deps.memory);
}
