import { isReadOnlySpec, type MountedVolume } from '@podwright/volume-interface';
import type { PodVolume } from './volume-table.js';

/** What containers can have of one volume: it is there under each of its names in the pod. */
export function mountedVolumes(record: PodVolume): readonly MountedVolume[] {
  const { state, name: specName, mounter, podDevicePath, outerNames, spec } = record;
  if (state !== 'mounted') return [];
  if (podDevicePath !== undefined) {
    const { usage } = record;
    return outerNames.map((name) => ({
      name,
      specName,
      ...{ hostPath: podDevicePath, isBlockDevice: true, readOnly: isReadOnlySpec(spec) },
      ...{ managed: false, selinuxRelabel: false },
      ...(usage !== undefined && { usage }),
    }));
  }
  if (mounter === undefined) return [];
  const { hostPath, readOnly, managed, selinuxRelabel, usage } = mounter;
  return outerNames.map((name) => ({
    name,
    ...(specName !== name && { specName }),
    ...{ hostPath, readOnly, managed, selinuxRelabel },
    ...(usage !== undefined && { usage }),
  }));
}
