import type { Container, Pod } from '@podwright/kube-types';
import { isSidecar } from './promises.js';

/** What the device plugins of a story serve. */
export const deviceResources = ['devices.test/card', 'devices.test/link'] as const;
export type DeviceResource = (typeof deviceResources)[number];

const devices: Readonly<Record<DeviceResource, readonly string[]>> = {
  'devices.test/card': ['card-0', 'card-1', 'card-2'],
  'devices.test/link': ['link-0', 'link-1'],
};

/** IDs of the devices of a resource. */
export const devicesOf = (resource: DeviceResource): readonly string[] => devices[resource];

/** Where a device appears in a container. */
export const devicePath = (id: string): string => `/dev/story/${id}`;

/** How many devices of the resource a container asks for. */
export const asksFor = ({ resources }: Container, resource: DeviceResource): number =>
  Number(resources?.limits?.[resource] ?? 0);

/**
 * How many devices of the resource the pod holds at most: init containers leave theirs to the containers after them,
 * sidecars keep theirs.
 */
export function needs({ spec }: Pod, resource: DeviceResource): number {
  let kept = 0;
  let most = 0;
  for (const container of spec.initContainers ?? []) {
    const asked = asksFor(container, resource);
    if (isSidecar(container)) kept += asked;
    else most = Math.max(most, kept + asked);
  }
  return Math.max(
    most,
    spec.containers.reduce((all, container) => all + asksFor(container, resource), kept),
  );
}

/** The container, asking for so many devices. */
export function withDevices(container: Container, resource: DeviceResource, count: number): Container {
  const { requests, limits } = container.resources ?? {};
  const asked = { [resource]: String(count) };
  return {
    ...container,
    resources: { ...container.resources, requests: { ...requests, ...asked }, limits: { ...limits, ...asked } },
  };
}

/** Whether a container of the pod asks for devices. */
export const asksForDevices = (pod: Pod): boolean => deviceResources.some((resource) => needs(pod, resource) > 0);

/** Whether pods, this one among them, ask together for more devices of a resource than there are. */
export const mayLackDevices = (pod: Pod, pods: readonly Pod[]): boolean =>
  deviceResources.some((resource) => {
    const asked = pods.reduce((all, each) => all + needs(each, resource), 0);
    return needs(pod, resource) > 0 && asked > devicesOf(resource).length;
  });
