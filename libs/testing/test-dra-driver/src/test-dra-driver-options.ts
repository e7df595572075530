import type { KubeClient } from '@podwright/kube-client-interface';
import { createSystemClock, type Clock } from '@podwright/time';
import type { TestDraDevice } from './test-dra-device.js';

export type DraServiceName = 'v1.DRAPlugin' | 'v1beta1.DRAPlugin';

/** See the README for the defaults. */
export interface TestDraDriverOptions {
  /** The driver's name, such as `gpu.example.com`. */
  readonly name: string;
  readonly nodeName: string;
  readonly devices: readonly TestDraDevice[];
  /** Folder in which the runtime looks for CDI specifications. */
  readonly cdiDir: string;
  /** For reading claims, and for the driver's ResourceSlice. The caller starts and stops it. */
  readonly client: Pick<KubeClient, 'get' | 'create' | 'inform'>;
  /** Services to offer, in the order of the registration. */
  readonly services?: readonly DraServiceName[];
  /** Whether to offer the health service. */
  readonly health?: boolean;
  /** How long a device's health counts; 0 leaves that to the kubelet. */
  readonly healthTimeoutSeconds?: number;
  readonly clock?: Clock;
}

export type DraDriverSettings = Required<TestDraDriverOptions>;

export function driverSettings(options: TestDraDriverOptions): DraDriverSettings {
  return {
    services: ['v1.DRAPlugin', 'v1beta1.DRAPlugin'],
    health: true,
    healthTimeoutSeconds: 0,
    clock: createSystemClock(),
    ...options,
  };
}
