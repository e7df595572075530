import { cleanMountPoint, giveToGroup } from '@podwright/filesystem';
import {
  isReadOnlySpec,
  measuredGroupOf,
  specName,
  type VolumeMounter,
  type VolumeSpec,
} from '@podwright/volume-interface';
import type { DriverCapabilities } from './driver-answer.js';
import { driverOptions, flexSourceOf, podOptions } from './driver-options.js';
import { secretOptions } from './driver-secret.js';
import { isThere, mountByDriver, removeDirectory } from './flex-directory.js';
import { deviceMountPathOf, type FlexParts } from './flex-parts.js';

/** Source: kubernetes v1.36 pkg/volume/flexvolume/mounter.go, mounter-defaults.go. */
export class FlexMounter implements VolumeMounter {
  readonly readOnly: boolean;
  readonly managed: boolean;
  readonly selinuxRelabel: boolean;
  readonly usage?: 'file-system';

  constructor(
    private readonly parts: FlexParts,
    private readonly capabilities: DriverCapabilities,
    private readonly spec: VolumeSpec,
    readonly hostPath: string,
  ) {
    flexSourceOf(spec); // throws for a volume of another kind
    this.readOnly = isReadOnlySpec(spec);
    this.managed = !this.readOnly;
    this.selinuxRelabel = capabilities.selinuxRelabel;
    if (capabilities.supportsMetrics) this.usage = 'file-system';
  }

  async setUp(signal: AbortSignal): Promise<void> {
    const isNew = await mountByDriver(this.parts, this.hostPath, () => this.mount(signal), signal);
    const { clock, logger, driver } = this.parts;
    const group = measuredGroupOf(this.spec, driver.name, this.parts);
    if (!isNew || group === undefined || this.readOnly || !this.capabilities.fsGroup) return;
    await giveToGroup(this.hostPath, { ...group, guard: { clock } }, logger, signal);
  }

  private async mount(signal: AbortSignal): Promise<void> {
    const { driver, client, mounts } = this.parts;
    const extra = { ...podOptions(this.spec), ...(await secretOptions(this.spec, client, signal)) };
    const answer = await driver.call('mount', [this.hostPath, driverOptions(this.spec, extra)], signal);
    if (answer !== undefined) return;
    const source = deviceMountPathOf(this.parts, specName(this.spec));
    await mounts.mount({ source, target: this.hostPath, fsType: 'auto', options: ['bind'], signal });
  }
}

/** Source: kubernetes v1.36 pkg/volume/flexvolume/unmounter.go. */
export async function tearDownFlexVolume(
  { driver, mounts }: FlexParts,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!(await isThere(path, mounts))) return;
  const answer = await driver.call('unmount', [path], signal);
  if (answer === undefined) await cleanMountPoint(mounts, path, signal);
  await removeDirectory(path);
}
