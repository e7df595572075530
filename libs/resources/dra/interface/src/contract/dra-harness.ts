import type { AllocatedResourceHealth } from '@podwright/device-manager-interface';
import type { Pod, ResourceClaim } from '@podwright/kube-types';
import type { DraManager } from '../dra-manager.js';
import type { Claim, NodePrepareResourcesResponse, NodeUnprepareResourcesResponse } from '../generated/dra.js';

export interface FakeDriverOptions {
  /** Default: one device per claim, see {@link preparedDevice}. */
  readonly prepare?: (claims: readonly Claim[]) => Promise<NodePrepareResourcesResponse>;
  /** Default: each claim without an error. */
  readonly unprepare?: (claims: readonly Claim[]) => Promise<NodeUnprepareResourcesResponse>;
}

/** A registered plugin of a driver, which is connected. */
export interface FakeDriver {
  /** `prepare a b`, `unprepare a`: the names of the claims of each call. */
  readonly calls: readonly string[];
  /** Sends a full list; resolves when the manager has handled it. */
  report(devices: readonly { readonly device: string; readonly health: 'Healthy' | 'Unhealthy' }[]): Promise<void>;
  /** Ends the plugin's process. */
  leave(): Promise<void>;
}

/** One started manager on an API server without claims, and without drivers and pods; all pod sources are ready. */
export interface DraManagerHarness {
  readonly manager: DraManager;
  readonly health: AllocatedResourceHealth;
  driver(name: string, options?: FakeDriverOptions): Promise<FakeDriver>;
  /** Stores a claim in the API server; undefined removes it. */
  setClaim(name: string, claim: ResourceClaim | undefined): void;
  setActive(...pods: readonly Pod[]): void;
  /** Lets the time pass after which the manager looks for pods that are gone. */
  reconcile(): Promise<void>;
  /** Kills the process, and starts a new one on the same node, with its drivers and pods. */
  restart(): Promise<DraManagerHarness>;
}

/** What the fake drivers prepare: a device named after driver and claim, for all requests. */
export const cdiName = (driver: string, claim: string): string => `${driver}/device=${claim}`;

export function preparedDevice(driver: string, { name }: Claim): NodePrepareResourcesResponse['claims'][string] {
  const device = { requestNames: [], poolName: 'n1', deviceName: 'd0', cdiDeviceIds: [cdiName(driver, name)] };
  return { error: '', devices: [device] };
}
