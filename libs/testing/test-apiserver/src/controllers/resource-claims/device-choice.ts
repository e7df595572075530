import type { ApiObject } from '@podwright/api-machinery';
import type { ResourceClaim, ResourceSlice } from '@podwright/kube-types';

export type Allocation = NonNullable<NonNullable<ResourceClaim['status']>['allocation']>;
type AllocatedDevice = NonNullable<NonNullable<Allocation['devices']>['results']>[number];
type DeviceRequest = NonNullable<NonNullable<ResourceClaim['spec']['devices']>['requests']>[number];

interface DeviceClass {
  readonly spec?: { readonly selectors?: readonly { readonly cel?: { readonly expression?: string } }[] };
}

const driverSelector = /^\s*device\.driver\s*==\s*["']([^"']+)["']\s*$/;

/**
 * Free devices of the node for every request of the claim; undefined when a request stays without. Of the selectors it
 * understands those of a class that name a driver, `device.driver == "gpu.example.com"`; any other matches nothing.
 */
export function chooseDevices(
  requests: readonly DeviceRequest[],
  slices: readonly ResourceSlice[],
  classOf: (name: string) => ApiObject | undefined,
  taken: ReadonlySet<string>,
): readonly AllocatedDevice[] | undefined {
  const free = slices.flatMap(({ spec: { driver, pool, devices = [] } }) =>
    devices.map(({ name }) => ({ driver, pool: pool.name, device: name })),
  );
  const used = new Set(taken);
  const chosen: AllocatedDevice[] = [];
  for (const { name, exactly, firstAvailable = [] } of requests) {
    const alternatives = exactly
      ? [{ ...exactly, name }]
      : firstAvailable.map((one) => ({ ...one, name: `${name}/${one.name}` }));
    const devices = alternatives
      .map(({ name: request, deviceClassName, allocationMode, count = 1, selectors = [] }) => {
        const driver = selectors.length > 0 ? undefined : driverOf(classOf(deviceClassName));
        const fitting = free.filter((device) => device.driver === driver && !used.has(keyOf(device)));
        const wanted = allocationMode === 'All' ? Math.max(1, fitting.length) : count;
        return fitting.length < wanted ? undefined : fitting.slice(0, wanted).map((device) => ({ ...device, request }));
      })
      .find((found) => found !== undefined);
    if (devices === undefined) return undefined;
    for (const device of devices) used.add(keyOf(device));
    chosen.push(...devices);
  }
  return chosen;
}

/** Identity of a device in the cluster. */
export function keyOf({ driver, pool, device }: Pick<AllocatedDevice, 'driver' | 'pool' | 'device'>): string {
  return `${driver}/${pool}/${device}`;
}

/** The driver that a class is for; undefined when it has another selector, or none. */
function driverOf(deviceClass: ApiObject | undefined): string | undefined {
  const { selectors = [] } = (deviceClass as DeviceClass | undefined)?.spec ?? {};
  const [only] = selectors;
  return selectors.length === 1 ? driverSelector.exec(only?.cel?.expression ?? '')?.[1] : undefined;
}
