import { CgroupDriver, ContainerEventType, PodSandboxState } from '@podwright/cri-client-interface';
import type { ContainerEventResponse } from '@podwright/cri-client-interface';
import type { CallGate } from './call-gate.js';
import type { EventStream } from './event-stream.js';
import type { RuntimeState } from './runtime-state.js';
import type { SimulatedContainer } from './simulated-container.js';
import type { SimulatedSandbox } from './simulated-sandbox.js';

export interface ReportedCondition {
  readonly ready: boolean;
  readonly reason: string;
  readonly message: string;
}

const ready: ReportedCondition = { ready: true, reason: '', message: '' };

/** What happens to the runtime from outside. Reads and changes take effect at once, without the CRI. */
export class RuntimeControl {
  /** What RuntimeConfig answers. */
  cgroupDriver: CgroupDriver = CgroupDriver.CGROUPFS;
  runtimeCondition: ReportedCondition = ready;
  networkCondition: ReportedCondition = ready;

  constructor(
    private readonly state: RuntimeState,
    private readonly gate: CallGate,
    private readonly events: EventStream,
  ) {}

  /** In order of creation. */
  get sandboxes(): readonly SimulatedSandbox[] {
    return [...this.state.sandboxes.values()];
  }

  /** In order of creation, of one pod when its uid is given. */
  containers(podUid?: string): readonly SimulatedContainer[] {
    const all = [...this.state.containers.values()];
    return podUid === undefined
      ? all
      : all.filter(({ podSandboxId }) => this.state.sandboxes.get(podSandboxId)?.podUid === podUid);
  }

  /** The newest container of the name in a pod. */
  container(podUid: string, name: string): SimulatedContainer | undefined {
    return this.containers(podUid).findLast((container) => container.name === name);
  }

  /** Without it pods in their own network cannot be run; Status says so. */
  setNetworkReady(isReady: boolean, reason = 'NetworkPluginNotReady', message = 'cni plugin not initialized'): void {
    this.networkCondition = isReady ? ready : { ready: false, reason, message };
  }

  setRuntimeReady(isReady: boolean, reason = 'RuntimeNotReady', message = 'the runtime is not ready'): void {
    this.runtimeCondition = isReady ? ready : { ready: false, reason, message };
  }

  /** Ends a container's process, as a crash or the kernel would. `reason` such as `OOMKilled`. */
  exitContainer(containerId: string, exitCode = 137, reason?: string): void {
    this.state.container(containerId, `container ${containerId}`).exit(exitCode, reason);
  }

  /** Ends a sandbox's process: it is not ready any more, its containers are killed. */
  killSandbox(podSandboxId: string): void {
    const sandbox = this.state.sandbox(podSandboxId, `sandbox ${podSandboxId}`);
    for (const container of this.state.containersOf(sandbox.id)) container.exit(137);
    sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
    this.state.tell(ContainerEventType.CONTAINER_STOPPED_EVENT, sandbox.id, sandbox);
  }

  /** The record is gone, as after a lost disk: no end, no event. */
  loseContainer(containerId: string): void {
    const container = this.state.container(containerId, `container ${containerId}`);
    container.dispose();
    this.state.containers.delete(container.id);
    this.state.release(container.id);
  }

  /** As {@link loseContainer}; its containers stay, without a sandbox. */
  loseSandbox(podSandboxId: string): void {
    const { id } = this.state.sandbox(podSandboxId, `sandbox ${podSandboxId}`);
    this.state.sandboxes.delete(id);
    this.state.release(id);
  }

  /** Everything is gone, as after a reboot without a disk; images stay. */
  loseEverything(): void {
    for (const { id } of this.containers()) this.loseContainer(id);
    for (const { id } of this.sandboxes) this.loseSandbox(id);
  }

  /**
   * From now on `disturb` decides what arrives of each container event: none, several, or others that it kept back before.
   * Returns what takes the disturbance away.
   */
  disturbEvents(disturb: (event: ContainerEventResponse) => readonly ContainerEventResponse[]): () => void {
    this.events.disturbance = disturb;
    return () => void (this.events.disturbance = undefined);
  }

  /** Ends the streams of container events that are open; new ones can be opened. */
  endEventStreams(): void {
    this.events.end();
  }

  /** The runtime's process dies: running calls break, new ones fail with `unavailable`. Containers live on. */
  goAway(): void {
    this.gate.close();
  }

  /** The runtime is back, with everything it had. */
  comeBack(): void {
    this.gate.reopen();
  }

  /** A reboot of the node: all processes have ended, the records are there. The runtime is up again afterwards. */
  reboot(): void {
    this.gate.close();
    for (const sandbox of this.sandboxes) {
      for (const container of this.state.containersOf(sandbox.id)) container.exit(255, 'Unknown');
      sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
    }
    this.gate.reopen();
  }
}
