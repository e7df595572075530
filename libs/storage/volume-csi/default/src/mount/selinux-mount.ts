import { mountOf, resolveLinks, type MountTools } from '@podwright/filesystem';
import { seLinuxMountOption, supportsSeLinuxLabels } from '@podwright/selinux';
import type { VolumeSpec } from '@podwright/volume-interface';
import { csiText } from '../csi-text.js';
import { driverNameOf } from './csi-source.js';
import type { DriverRules } from './driver-rules.js';
import { csiStep } from './csi-step.js';

export interface LabelledMount {
  readonly mountFlags: readonly string[];
  /** The label that the volume is mounted with; absent: the driver cannot, or none is wanted. */
  readonly label: string | undefined;
}

/** Adds the label to the mount options, for drivers that can mount with one. */
export async function withSeLinuxLabel(
  mountOptions: readonly string[],
  label: string | undefined,
  spec: VolumeSpec,
  rules: Pick<DriverRules, 'seLinuxMount'>,
): Promise<LabelledMount> {
  const can = await csiStep(csiText('failed to query for SELinuxMount support'), () =>
    rules.seLinuxMount(driverNameOf(spec)),
  );
  if (!can || label === undefined || label === '') return { mountFlags: mountOptions, label: undefined };
  return { mountFlags: [...mountOptions, seLinuxMountOption(label)], label };
}

/** Whether files at the path have labels of their own. Source: kubernetes v1.36 hostutil GetSELinuxSupport. */
export async function hasLabels(mounts: Pick<MountTools, 'list'>, path: string): Promise<boolean> {
  const table = await mounts.list();
  const mount = mountOf(await resolveLinks(path, table), table);
  return mount !== undefined && supportsSeLinuxLabels(mount);
}
