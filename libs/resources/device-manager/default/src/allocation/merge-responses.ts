import type { ContainerAllocateResponse, DeviceRunOptions } from '@podwright/device-manager-interface';
import type { Logger } from '@podwright/logging';

/**
 * Merges the plugins' answers for one container: the first value of a key wins, a different later value is only logged.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/pod_devices.go deviceRunContainerOptions.
 */
export function mergeResponses(responses: Iterable<ContainerAllocateResponse>, logger: Logger): DeviceRunOptions {
  const envs = new FirstOf<string>('Environment variable has conflicting setting', logger);
  const annotations = new FirstOf<string>('Annotation has conflicting setting', logger);
  const devices = new FirstOf<DeviceRunOptions['devices'][number]>(
    'Container device has conflicting mapping host devices',
    logger,
    ({ hostPath }) => hostPath,
  );
  const mounts = new FirstOf<DeviceRunOptions['mounts'][number]>(
    'Container mount has conflicting mapping host mounts',
    logger,
    ({ hostPath }) => hostPath,
  );
  const cdiDevices = new Set<string>();
  for (const response of responses) {
    for (const [name, value] of Object.entries(response.envs)) envs.add(name, value);
    for (const { containerPath, hostPath, permissions } of response.devices)
      devices.add(containerPath, { containerPath, hostPath, permissions });
    for (const { containerPath, hostPath, readOnly } of response.mounts)
      mounts.add(containerPath, { containerPath, hostPath, readOnly });
    for (const [name, value] of Object.entries(response.annotations)) annotations.add(name, value);
    for (const { name } of response.cdiDevices) cdiDevices.add(name);
  }
  return {
    envs: [...envs.values].map(([name, value]) => ({ name, value })),
    mounts: [...mounts.values.values()],
    devices: [...devices.values.values()],
    annotations: Object.fromEntries(annotations.values),
    cdiDevices: [...cdiDevices],
  };
}

class FirstOf<T> {
  readonly values = new Map<string, T>();

  constructor(
    private readonly conflict: string,
    private readonly logger: Logger,
    private readonly sense: (value: T) => unknown = (value) => value,
  ) {}

  add(key: string, value: T): void {
    const known = this.values.get(key);
    if (known === undefined) this.values.set(key, value);
    else if (this.sense(known) !== this.sense(value))
      this.logger.error(this.conflict, { key, expected: this.sense(known), got: this.sense(value) });
  }
}
