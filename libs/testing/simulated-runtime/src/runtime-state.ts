import { PodSandboxState } from '@podwright/cri-client-interface';
import type {
  ContainerEventType,
  ContainerFilter,
  DeepPartial,
  PodSandboxFilter,
} from '@podwright/cri-client-interface';
import type { EventStream } from './event-stream.js';
import type { NanosecondStamps } from './nanosecond-stamps.js';
import { notFound } from './runtime-errors.js';
import type { SimulatedContainer } from './simulated-container.js';
import type { SimulatedSandbox } from './simulated-sandbox.js';

type Labels = { readonly [key: string]: string | undefined };

/** All sandboxes and containers of the runtime, by id, and their reserved names. */
export class RuntimeState {
  readonly sandboxes = new Map<string, SimulatedSandbox>();
  readonly containers = new Map<string, SimulatedContainer>();
  /** Reserved name -> id of its container or sandbox. */
  readonly names = new Map<string, string>();

  constructor(
    private readonly stamps: NanosecondStamps,
    private readonly events: EventStream,
  ) {}

  /** Finds a sandbox by its id or, like containerd, a unique prefix of it. Throws `not-found` with `complaint`. */
  sandbox(id: string | undefined, complaint: string): SimulatedSandbox {
    const found = byPrefix(this.sandboxes, id);
    if (found === undefined) throw notFound(complaint);
    return found;
  }

  container(id: string | undefined, complaint: string): SimulatedContainer {
    const found = byPrefix(this.containers, id);
    if (found === undefined) throw notFound(complaint);
    return found;
  }

  findSandbox(id: string | undefined): SimulatedSandbox | undefined {
    return byPrefix(this.sandboxes, id);
  }

  findContainer(id: string | undefined): SimulatedContainer | undefined {
    return byPrefix(this.containers, id);
  }

  containersOf(podSandboxId: string): SimulatedContainer[] {
    return [...this.containers.values()].filter((container) => container.podSandboxId === podSandboxId);
  }

  matchingSandboxes(filter: DeepPartial<PodSandboxFilter> = {}): SimulatedSandbox[] {
    return [...this.sandboxes.values()].filter(
      ({ id, state, config }) =>
        (!filter.id || id.startsWith(filter.id)) &&
        (filter.state === undefined || (filter.state.state ?? PodSandboxState.SANDBOX_READY) === state) &&
        hasLabels(config.labels, filter.labelSelector),
    );
  }

  matchingContainers(filter: DeepPartial<ContainerFilter> = {}): SimulatedContainer[] {
    return [...this.containers.values()].filter(
      ({ id, state, podSandboxId, config }) =>
        (!filter.id || id.startsWith(filter.id)) &&
        (!filter.podSandboxId || podSandboxId.startsWith(filter.podSandboxId)) &&
        (filter.state === undefined || (filter.state.state ?? 0) === state) &&
        hasLabels(config.labels, filter.labelSelector),
    );
  }

  release(id: string): void {
    for (const [name, holder] of this.names) if (holder === id) this.names.delete(name);
  }

  /** Publishes a container event. `id` is the id of a container, or of the sandbox itself. */
  tell(type: ContainerEventType, id: string, sandbox: SimulatedSandbox | undefined): void {
    if (this.events.readerCount === 0) return;
    this.events.publish({
      containerId: id,
      containerEventType: type,
      createdAt: this.stamps.next(),
      podSandboxStatus: sandbox?.status(),
      containersStatuses:
        sandbox === undefined ? [] : this.containersOf(sandbox.id).map((container) => container.status()),
    });
  }
}

function byPrefix<T>(items: ReadonlyMap<string, T>, id: string | undefined): T | undefined {
  if (id === undefined || id === '') return undefined;
  const exact = items.get(id);
  if (exact !== undefined) return exact;
  const found = [...items].filter(([key]) => key.startsWith(id));
  return found.length === 1 ? found[0]?.[1] : undefined;
}

export function hasLabels(labels: Labels | undefined, selector: Labels | undefined): boolean {
  return Object.entries(selector ?? {}).every(([key, value]) => labels?.[key] === value);
}
