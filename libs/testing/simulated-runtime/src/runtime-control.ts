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

/** Inspects and disturbs the runtime from outside, at once and without the CRI. */
export class RuntimeControl {
  /** The cgroup driver in the answer to RuntimeConfig. */
  cgroupDriver: CgroupDriver = CgroupDriver.CGROUPFS;
  runtimeCondition: ReportedCondition = ready;
  networkCondition: ReportedCondition = ready;

  constructor(
    private readonly state: RuntimeState,
    private readonly gate: CallGate,
    private readonly events: EventStream,
  ) {}

  /** All sandboxes, in order of creation. */
  get sandboxes(): readonly SimulatedSandbox[] {
    return [...this.state.sandboxes.values()];
  }

  /** All containers, or those of one pod, in order of creation. */
  containers(podUid?: string): readonly SimulatedContainer[] {
    const all = [...this.state.containers.values()];
    return podUid === undefined
      ? all
      : all.filter(({ podSandboxId }) => this.state.sandboxes.get(podSandboxId)?.podUid === podUid);
  }

  /** The container with this id; undefined when there is none. */
  findContainer(containerId: string): SimulatedContainer | undefined {
    return this.state.findContainer(containerId);
  }

  /** The newest container of a pod with this name. */
  container(podUid: string, name: string): SimulatedContainer | undefined {
    return this.containers(podUid).findLast((container) => container.name === name);
  }

  /**
   * Sets whether the network is ready. Without it, pods that are not on the host's network cannot run. Status reports
   * it.
   */
  setNetworkReady(isReady: boolean, reason = 'NetworkPluginNotReady', message = 'cni plugin not initialized'): void {
    this.networkCondition = isReady ? ready : { ready: false, reason, message };
  }

  setRuntimeReady(isReady: boolean, reason = 'RuntimeNotReady', message = 'the runtime is not ready'): void {
    this.runtimeCondition = isReady ? ready : { ready: false, reason, message };
  }

  /** Ends a container's process, as a crash or the kernel would. `reason` may be `OOMKilled`, for example. */
  exitContainer(containerId: string, exitCode = 137, reason?: string): void {
    this.state.container(containerId, `container ${containerId}`).exit(exitCode, reason);
  }

  /** Ends a sandbox's process: the sandbox becomes not ready, and its containers are killed. */
  killSandbox(podSandboxId: string): void {
    const sandbox = this.state.sandbox(podSandboxId, `sandbox ${podSandboxId}`);
    for (const container of this.state.containersOf(sandbox.id)) container.exit(137);
    sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
    this.state.tell(ContainerEventType.CONTAINER_STOPPED_EVENT, sandbox.id, sandbox);
  }

  /** Deletes the record of a container without an exit or an event, as a lost disk would. */
  loseContainer(containerId: string): void {
    const container = this.state.container(containerId, `container ${containerId}`);
    container.dispose();
    this.state.containers.delete(container.id);
    this.state.release(container.id);
  }

  /** Deletes the record of a sandbox as {@link loseContainer}; its containers stay, without a sandbox. */
  loseSandbox(podSandboxId: string): void {
    const { id } = this.state.sandbox(podSandboxId, `sandbox ${podSandboxId}`);
    this.state.sandboxes.delete(id);
    this.state.release(id);
  }

  /** Deletes all records of containers and sandboxes, as a reboot without a disk would. Images stay. */
  loseEverything(): void {
    for (const { id } of this.containers()) this.loseContainer(id);
    for (const { id } of this.sandboxes) this.loseSandbox(id);
  }

  /**
   * From now on, readers get the events that `disturb` returns for each container event: none, several, or earlier ones
   * that it held back. Returns a function that ends this.
   */
  disturbEvents(disturb: (event: ContainerEventResponse) => readonly ContainerEventResponse[]): () => void {
    this.events.disturbance = disturb;
    return () => void (this.events.disturbance = undefined);
  }

  /** Ends all open streams of container events; new ones can be opened. */
  endEventStreams(): void {
    this.events.end();
  }

  /** Stops the runtime's process: running and new calls fail with `unavailable`. Containers keep running. */
  goAway(): void {
    this.gate.close();
  }

  /** Starts the runtime's process again, with all its records. */
  comeBack(): void {
    this.gate.reopen();
  }

  /** Reboots the node: all processes end, the records stay, and the runtime runs again afterwards. */
  reboot(): void {
    this.gate.close();
    for (const sandbox of this.sandboxes) {
      for (const container of this.state.containersOf(sandbox.id)) container.exit(255, 'Unknown');
      sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
    }
    this.gate.reopen();
  }
}
