import type { AllocatedResourceHealth } from '@podwright/device-manager-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import type { ClaimCache } from '../claims/claim-cache.js';
import { devicesOf } from '../claims/claim-info.js';
import type { DeviceReport } from './device-report.js';
import type { HealthCache } from './health-cache.js';

type Listener = (podUids: readonly string[]) => void;
type ResourceHealth = ReturnType<AllocatedResourceHealth['of']>[number];

/**
 * {@link AllocatedResourceHealth} of the devices of claims. Source: kubernetes v1.36 pkg/kubelet/cm/dra/manager.go
 * UpdateAllocatedResourcesStatus.
 */
export class ClaimHealth implements AllocatedResourceHealth {
  private readonly listeners = new Set<Listener>();

  constructor(
    private readonly claims: Pick<ClaimCache, 'get' | 'all'>,
    private readonly health: HealthCache,
    private readonly config: { readonly resourceHealthStatus: boolean; readonly resourceHealthMessage: boolean },
  ) {}

  of(pod: Pod, containerName: string): readonly ResourceHealth[] {
    if (!this.config.resourceHealthStatus) return [];
    const container = pod.spec.containers.find(({ name }) => name === containerName);
    const shown = new Map<string, ResourceHealth>();
    for (const { name, request = '' } of container?.resources?.claims ?? []) {
      const resources = this.resources(pod, name, request);
      const resource = `claim:${name}${request === '' ? '' : `/${request}`}`;
      if (resources.length > 0) shown.set(resource, { name: resource, resources });
    }
    return [...shown.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  watch(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Notifies about the pods of all claims that have one of the devices. */
  changed(driver: string, devices: readonly DeviceReport[]): void {
    const changed = new Set(devices.map(({ poolName, deviceName }) => `${poolName}/${deviceName}`));
    const podUids = new Set<string>();
    for (const { drivers, podUids: users } of this.claims.all()) {
      const own = drivers.get(driver) ?? [];
      if (own.some(({ poolName, deviceName }) => changed.has(`${poolName}/${deviceName}`)))
        for (const uid of users) podUids.add(uid);
    }
    if (podUids.size > 0) for (const listener of this.listeners) listener([...podUids]);
  }

  private resources(pod: Pod, podClaim: string, request: string): ResourceHealth['resources'] {
    const claimName = claimNameOf(pod, podClaim);
    const claim = claimName === undefined ? undefined : this.claims.get(pod.metadata.namespace ?? '', claimName);
    if (claim === undefined || !claim.podUids.has(podUid(pod))) return [];
    const shown = new Map<string, ResourceHealth['resources'][number]>();
    // A subrequest `gpu/large` is of the request `gpu`, by which drivers name their devices.
    for (const { driver, device } of devicesOf(claim, request.split('/', 1)[0] ?? '')) {
      const { health, message } = this.health.of(driver, device);
      const resourceId = device.cdiDeviceIds[0] ?? `${driver}/${device.poolName}/${device.deviceName}`;
      const showsMessage = this.config.resourceHealthMessage && message !== '';
      if (!shown.has(resourceId)) shown.set(resourceId, { resourceId, health, ...(showsMessage && { message }) });
    }
    return [...shown.values()];
  }
}

/** Unlike at the start of a container, a name that is not known yet is no error here. */
function claimNameOf({ spec, status }: Pod, podClaim: string): string | undefined {
  const made = status?.resourceClaimStatuses?.find(({ name }) => name === podClaim)?.resourceClaimName;
  return made ?? spec.resourceClaims?.find(({ name }) => name === podClaim)?.resourceClaimName;
}
