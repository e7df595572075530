import type { ContainerAllocateResponse } from '@podwright/device-manager-interface';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import { nodeWithoutTopology, type DeviceAllocations, type DeviceClaim } from './device-allocations.js';
import type { DeviceInventory } from '../devices/device-inventory.js';
import type { DeviceMetrics } from '../plugins/device-metrics.js';
import type { PluginEndpoints } from '../plugins/plugin-endpoints.js';
import { splitByAffinity } from './split-by-affinity.js';

export interface DeviceRequest {
  readonly podUid: string;
  readonly container: string;
  readonly resource: string;
  readonly count: number;
  /** An init container that ends before others start. */
  readonly isInit: boolean;
  /** Devices of the pod's init containers that this container may reuse. */
  readonly reusable: ReadonlySet<string>;
}

export interface DeviceAllocatorDeps {
  readonly inventory: DeviceInventory;
  readonly allocations: DeviceAllocations;
  readonly endpoints: Pick<PluginEndpoints, 'get'>;
  readonly metrics: DeviceMetrics;
  readonly clock: Clock;
  readonly affinityOf: (podUid: string, container: string) => readonly number[] | undefined;
  /** The container, or any of the pod, ran when the kubelet started, and not all pod sources are ready yet. */
  readonly ranBefore: (podUid: string, container?: string) => boolean;
}

/**
 * Chooses devices and requests them from their plugin. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go
 * devicesToAllocate.
 */
export class DeviceAllocator {
  constructor(private readonly deps: DeviceAllocatorDeps) {}

  /** Resolves to true when it allocated devices. Meanwhile no other container can get the requested devices. */
  async allocate(request: DeviceRequest, signal: AbortSignal): Promise<boolean> {
    const { allocations } = this.deps;
    if (!this.needsDevices(request)) return false;
    const claim = allocations.claim(request);
    try {
      await this.choose(request, claim, signal);
      const response = await this.ask(request, [...claim.ids], signal);
      signal.throwIfAborted();
      const { podUid, container, resource } = request;
      const idsByNode = this.byNode(resource, claim.ids);
      allocations.insert({ podUid, container, resource, allocation: { idsByNode, response } });
      return true;
    } finally {
      allocations.release(claim);
    }
  }

  // The checks precede the count: a restarting container needs its plugin as well.
  private needsDevices({ podUid, container, resource, count, isInit }: DeviceRequest): boolean {
    const { inventory, allocations, ranBefore } = this.deps;
    const given = allocations.ids(podUid, container, resource);
    if (given !== undefined && given.size !== count) {
      throw refused(
        `pod "${podUid}" container "${container}" changed request for resource "${resource}" from ${given.size} to ${count}`,
      );
    }
    if (ranBefore(podUid, container)) return false;
    // It had its devices and is over: its pod runs. Upstream refuses such a pod when its plugin registers again too late.
    if (isInit && given !== undefined && ranBefore(podUid)) return false;
    if (!inventory.has(resource)) throw refused(`cannot allocate unregistered device ${resource}`);
    const healthy = inventory.healthy(resource);
    if (healthy.size === 0) throw refused(`no healthy devices present; cannot allocate unhealthy devices ${resource}`);
    if (given !== undefined && [...given].some((id) => !healthy.has(id))) {
      throw refused(
        `previously allocated devices are no longer healthy; cannot allocate unhealthy devices ${resource}`,
      );
    }
    return given === undefined && count > 0;
  }

  private async choose(request: DeviceRequest, claim: DeviceClaim, signal: AbortSignal): Promise<void> {
    const { inventory, allocations, affinityOf } = this.deps;
    const { podUid, container, resource, count, reusable } = request;
    const missing = (): number => count - claim.ids.size;
    const take = (ids: Iterable<string>): boolean => {
      for (const id of ids) {
        if (missing() === 0) break;
        claim.ids.add(id);
      }
      return missing() === 0;
    };
    // Computed again after each wait: other containers may have taken devices, or the plugin may have removed them.
    const available = (): ReadonlySet<string> => {
      const held = allocations.held(resource);
      return new Set([...inventory.healthy(resource)].filter((id) => !held.has(id)));
    };

    if (take(reusable)) return;
    const free = available();
    if (free.size < missing()) {
      throw refused(
        `requested number of devices unavailable for ${resource}. Requested: ${missing()}, Available: ${free.size}`,
      );
    }
    const numaNodes = inventory.hasTopology(resource) ? affinityOf(podUid, container) : undefined;
    const { aligned, unaligned, without } = splitByAffinity(
      free,
      (id) => inventory.device(resource, id)?.numaNodes ?? [],
      numaNodes,
    );
    const preferred = async (from: ReadonlySet<string>): Promise<readonly string[]> => {
      const wanted = await this.preferred(request, from, claim.ids, signal);
      const stillFree = available();
      return wanted.filter((id) => from.has(id) && stillFree.has(id));
    };
    const stillFree = (ids: ReadonlySet<string>): readonly string[] => {
      const now = available();
      return [...ids].filter((id) => now.has(id));
    };

    if (missing() < aligned.size) {
      if (take(await preferred(aligned)) || take(stillFree(aligned))) return;
    } else {
      if (take(aligned)) return;
      if (take(await preferred(free)) || take(stillFree(unaligned)) || take(stillFree(without))) return;
    }
    throw refused(`unexpectedly allocated less resources than required. Requested: ${count}, Got: ${claim.ids.size}`);
  }

  private async preferred(
    { resource, count }: DeviceRequest,
    from: ReadonlySet<string>,
    chosen: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const endpoint = this.deps.endpoints.get(resource);
    if (endpoint === undefined) throw refused(`endpoint not found in cache for a registered resource: ${resource}`);
    if (endpoint.options?.getPreferredAllocationAvailable !== true) return [];
    try {
      const { client } = runningEndpoint(resource, endpoint);
      return await client.preferred([...new Set([...from, ...chosen])], [...chosen], count, signal);
    } catch (error) {
      const { code, message } = KubeletError.from(error);
      const problem = `device plugin GetPreferredAllocation rpc failed with err: ${message}`;
      throw new KubeletError(problem, { code, cause: error });
    }
  }

  private async ask(
    { resource }: DeviceRequest,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ContainerAllocateResponse> {
    const { endpoints, metrics, clock } = this.deps;
    const begunAt = clock.monotonic();
    const endpoint = endpoints.get(resource);
    if (endpoint === undefined) throw refused(`unknown Device Plugin ${resource}`);
    try {
      const response = await runningEndpoint(resource, endpoint).client.allocate(ids, signal);
      // Upstream prints the empty answer behind the space.
      if (response === undefined) throw refused('no containers return in allocation response ');
      return response;
    } finally {
      metrics.allocated(resource, clock.monotonic() - begunAt);
    }
  }

  private byNode(resource: string, ids: ReadonlySet<string>): ReadonlyMap<number, readonly string[]> {
    const byNode = new Map<number, string[]>();
    for (const id of ids) {
      const nodes = this.deps.inventory.device(resource, id)?.numaNodes ?? [];
      for (const node of nodes.length === 0 ? [nodeWithoutTopology] : nodes)
        byNode.set(node, [...(byNode.get(node) ?? []), id]);
    }
    return byNode;
  }
}

type Endpoint = NonNullable<ReturnType<PluginEndpoints['get']>>;

/** Throws when the plugin is not running. */
export function runningEndpoint(
  resource: string,
  { client, stoppedAtMs }: Endpoint,
): { readonly client: NonNullable<Endpoint['client']> } {
  if (client !== undefined && stoppedAtMs === undefined) return { client };
  throw new KubeletError(`endpoint ${resource} has been stopped`, { code: 'unavailable' });
}

function refused(message: string): KubeletError {
  return new KubeletError(message, { code: 'resource-exhausted' });
}
