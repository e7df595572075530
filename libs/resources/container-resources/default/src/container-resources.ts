import type { AdmissionCheck } from '@podwright/admission-interface';
import { needs, optional, pick, type Lifecycle, type Needs } from '@podwright/assembly-interface';
import type { ContainerRunOptions, ContainerRunOptionsSource } from '@podwright/container-environment-interface';
import type { InternalContainerLifecycle } from '@podwright/container-runtime-interface';
import { CPU_MANAGER } from '@podwright/cpu-manager-interface';
import type { ContainerConfig, DeepPartial, LinuxContainerResources } from '@podwright/cri-client-interface';
import { DEVICE_MANAGER, type DeviceRunOptions } from '@podwright/device-manager-interface';
import { DRA_MANAGER } from '@podwright/dra-interface';
import { KubeletError } from '@podwright/errors';
import { podUid, type Container, type Pod } from '@podwright/kube-types';
import { formatCpuList } from '@podwright/machine';
import { MEMORY_MANAGER, type MemoryManager } from '@podwright/memory-manager-interface';
import type { ContainerAssignments, ResourceAssignments } from '@podwright/pod-resources-interface';
import { TOPOLOGY_MANAGER } from '@podwright/topology-manager-interface';

type Config = DeepPartial<ContainerConfig>;

const nothing: DeviceRunOptions = { envs: [], mounts: [], devices: [], annotations: {}, cdiDevices: [] };

export const containerResourcesNeeds = needs({
  topology: TOPOLOGY_MANAGER,
  devices: optional(DEVICE_MANAGER),
  cpus: optional(CPU_MANAGER),
  memory: optional(MEMORY_MANAGER),
  claims: optional(pick(DRA_MANAGER, 'cdiDevicesOf', 'claimsOf')),
});
export type ContainerResourcesNeeds = Needs<typeof containerResourcesNeeds>;

/**
 * Passes the decisions of the device, CPU, memory and DRA managers to admission, to the container runtime and to monitoring
 * agents.
 * Source: kubernetes v1.36 pkg/kubelet/cm/internal_container_lifecycle.go, pkg/kubelet/cm/container_manager_linux.go.
 */
export class ContainerResources
  implements InternalContainerLifecycle, ContainerRunOptionsSource, ResourceAssignments, Lifecycle
{
  private readonly removals: (() => void)[] = [];

  constructor(private readonly deps: ContainerResourcesNeeds) {}

  async start(): Promise<void> {
    // Upstream's order: devices first, then CPUs, then memory.
    for (const provider of [this.deps.devices, this.deps.cpus, this.deps.memory])
      if (provider !== undefined) this.removals.push(this.deps.topology.addHintProvider(provider));
  }

  async stop(): Promise<void> {
    for (const remove of this.removals.splice(0).reverse()) remove();
  }

  /** An admission check that lets the topology manager place the pod; it rejects the pod with the manager's reason. */
  admissionCheck(): AdmissionCheck {
    return {
      stage: 'topology',
      check: async (pod) => {
        try {
          await this.deps.topology.admit(pod);
          return undefined;
        } catch (error) {
          const { reason, message } = KubeletError.from(error);
          if (reason === undefined) throw error;
          return { admit: false, reason, message };
        }
      },
    };
  }

  async runOptionsOf(pod: Pod, container: Container): Promise<ContainerRunOptions | undefined> {
    // As upstream, before anything is asked of device plugins.
    const claimed = this.deps.claims?.cdiDevicesOf(pod, container) ?? [];
    const options = await this.deps.devices?.runOptionsOf(pod, container);
    if (claimed.length === 0) return options;
    return { ...(options ?? nothing), cdiDevices: [...claimed, ...(options?.cdiDevices ?? [])] };
  }

  async preCreateContainer(pod: Pod, container: Container, config: Config): Promise<Config> {
    const uid = podUid(pod);
    const cpus = this.deps.cpus?.cpusOf(uid, container.name) ?? [];
    const numaNodes = this.deps.memory?.numaNodesOf(uid, container.name) ?? [];
    const changes: DeepPartial<LinuxContainerResources> = {
      ...(cpus.length > 0 && { cpusetCpus: formatCpuList(cpus) }),
      // Upstream writes the nodes one by one, without ranges.
      ...(numaNodes.length > 0 && { cpusetMems: numaNodes.join(',') }),
    };
    if (Object.keys(changes).length === 0) return config;
    return { ...config, linux: { ...config.linux, resources: { ...config.linux?.resources, ...changes } } };
  }

  async preStartContainer(pod: Pod, container: Container, containerId: string): Promise<void> {
    this.deps.cpus?.addContainer(pod, container, containerId);
    this.deps.memory?.addContainer(pod, container, containerId);
    this.deps.topology.addContainer(pod, container, containerId);
  }

  async postStopContainer(containerId: string): Promise<void> {
    // CPUs and memory stay with the pod until it is no longer active.
    this.deps.topology.removeContainer(containerId);
  }

  of(pod: Pod, container: Container): ContainerAssignments {
    const [uid, { name }] = [podUid(pod), container];
    return {
      devices: this.deps.devices?.devicesOf(uid, name) ?? [],
      cpuIds: this.deps.cpus?.exclusiveCpusOf(uid, name) ?? [],
      memory: (this.deps.memory?.memoryOf(uid, name) ?? []).map(memoryAssignment),
      claims: this.deps.claims?.claimsOf(pod, container) ?? [],
    };
  }

  allocatable(): Omit<ContainerAssignments, 'claims'> {
    return {
      devices: this.deps.devices?.allocatableDevices() ?? [],
      cpuIds: this.deps.cpus?.allocatableCpus() ?? [],
      memory: (this.deps.memory?.allocatableMemory() ?? []).map(memoryAssignment),
    };
  }

  // As upstream, only the device manager releases here; CPUs and memory are released when another container asks for
  // them.
  releaseInactive(): void {
    this.deps.devices?.releaseInactive();
  }
}

function memoryAssignment({ type, bytes, numaNodes }: ReturnType<MemoryManager['memoryOf']>[number]): {
  readonly memoryType: string;
  readonly bytes: number;
  readonly numaNodes: readonly number[];
} {
  return { memoryType: type, bytes, numaNodes };
}
