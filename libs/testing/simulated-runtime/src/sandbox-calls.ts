import { ContainerEventType, PodSandboxState } from '@podwright/cri-client-interface';
import type * as cri from '@podwright/cri-client-interface';
import type { DeepPartial } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Random } from '@podwright/time';
import type { Addresses } from './addresses.js';
import { copyOf, updatedResources } from './complete-messages.js';
import type { ContainerCalls } from './container-calls.js';
import type { NanosecondStamps } from './nanosecond-stamps.js';
import type { RuntimeControl } from './runtime-control.js';
import { unknown } from './runtime-errors.js';
import type { RuntimeState } from './runtime-state.js';
import { SimulatedSandbox } from './simulated-sandbox.js';

export interface SandboxCallsDeps {
  readonly random: Random;
  readonly stamps: NanosecondStamps;
  readonly state: RuntimeState;
  readonly addresses: Addresses;
  readonly containers: ContainerCalls;
  readonly control: RuntimeControl;
  readonly showsContainers: boolean;
}

/** The CRI calls for sandboxes, with containerd's answers. */
export class SandboxCalls {
  constructor(private readonly deps: SandboxCallsDeps) {}

  run({ config, runtimeHandler = '' }: DeepPartial<cri.RunPodSandboxRequest>): cri.RunPodSandboxResponse {
    const { random, stamps, state, control } = this.deps;
    if (config?.metadata === undefined) throw unknown('sandbox config must include metadata');
    const name = SimulatedSandbox.nameOf(config);
    const holder = state.names.get(name);
    if (holder !== undefined) {
      const message = `failed to reserve sandbox name "${name}": name "${name}" is reserved for "${holder}"`;
      throw new KubeletError(message, { code: 'failed-precondition' });
    }
    if (runtimeHandler !== '' && runtimeHandler !== 'runc') {
      throw unknown(`failed to get sandbox runtime: no runtime for "${runtimeHandler}" is configured`);
    }
    const id = random.hex(32);
    const hostNetwork = SimulatedSandbox.usesHostNetwork(config);
    if (!hostNetwork && !control.networkCondition.ready) {
      throw unknown(`failed to setup network for sandbox "${id}": ${control.networkCondition.message}`);
    }
    const ip = hostNetwork ? '' : this.deps.addresses.take();
    const sandbox = new SimulatedSandbox(id, copyOf(config), { runtimeHandler, createdAt: stamps.next(), ip });
    state.sandboxes.set(id, sandbox);
    state.names.set(name, id);
    state.tell(ContainerEventType.CONTAINER_CREATED_EVENT, id, sandbox);
    state.tell(ContainerEventType.CONTAINER_STARTED_EVENT, id, sandbox);
    return { podSandboxId: id };
  }

  /** Stops a sandbox; does nothing when it is unknown or stopped. */
  stop({ podSandboxId }: DeepPartial<cri.StopPodSandboxRequest>): cri.StopPodSandboxResponse {
    const sandbox = this.deps.state.findSandbox(podSandboxId);
    if (sandbox !== undefined) this.end(sandbox);
    return {};
  }

  /** Removes a sandbox with its containers; does nothing when it is unknown. */
  remove({ podSandboxId }: DeepPartial<cri.RemovePodSandboxRequest>): cri.RemovePodSandboxResponse {
    const { state, containers } = this.deps;
    const sandbox = state.findSandbox(podSandboxId);
    if (sandbox === undefined) return {};
    this.end(sandbox);
    for (const { id } of state.containersOf(sandbox.id)) containers.remove({ containerId: id });
    state.sandboxes.delete(sandbox.id);
    state.release(sandbox.id);
    state.tell(ContainerEventType.CONTAINER_DELETED_EVENT, sandbox.id, sandbox);
    return {};
  }

  status({ podSandboxId }: DeepPartial<cri.PodSandboxStatusRequest>): cri.PodSandboxStatusResponse {
    const { state, stamps, showsContainers } = this.deps;
    const sandbox = state.sandbox(podSandboxId, 'an error occurred when try to find sandbox');
    return {
      status: sandbox.status(),
      info: {},
      containersStatuses: showsContainers ? state.containersOf(sandbox.id).map((container) => container.status()) : [],
      timestamp: showsContainers ? stamps.next() : 0n,
    };
  }

  list({ filter }: DeepPartial<cri.ListPodSandboxRequest>): cri.ListPodSandboxResponse {
    return { items: this.deps.state.matchingSandboxes(filter).map((sandbox) => sandbox.listed()) };
  }

  updateResources(request: DeepPartial<cri.UpdatePodSandboxResourcesRequest>): cri.UpdatePodSandboxResourcesResponse {
    const { podSandboxId = '', resources = {} } = request;
    const sandbox = this.deps.state.sandbox(podSandboxId, `failed to find sandbox "${podSandboxId}"`);
    sandbox.resources = updatedResources(sandbox.resources, resources);
    return {};
  }

  private end(sandbox: SimulatedSandbox): void {
    const { state, addresses } = this.deps;
    for (const container of state.containersOf(sandbox.id)) container.exit(137);
    addresses.release(sandbox.ip);
    sandbox.ip = '';
    if (!sandbox.ready) return;
    sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
    state.tell(ContainerEventType.CONTAINER_STOPPED_EVENT, sandbox.id, sandbox);
  }
}
