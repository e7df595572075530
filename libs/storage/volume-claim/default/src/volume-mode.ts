import type { KubeletError } from '@podwright/errors';
import type { PersistentVolume } from '@podwright/kube-types';
import { unusable } from './claim-rules.js';

/** How the containers of a pod use a volume. */
export interface VolumeUse {
  readonly asMount: boolean;
  readonly asDevice: boolean;
}

/** Refuses a volume of another mode than the containers need. `volume` is its name in the pod. */
export function requireMode(volume: string, { metadata, spec }: PersistentVolume, used: VolumeUse): void {
  const mode = spec?.volumeMode;
  if (!mode) throw unusable(`cannot get volumeMode for volume: ${metadata?.name ?? ''}`);
  const wrong = (where: string): KubeletError =>
    unusable(`volume ${volume} has volumeMode ${mode}, but is specified in ${where}`);
  if (used.asMount && mode !== 'Filesystem') throw wrong('volumeMounts');
  if (used.asDevice && mode !== 'Block') throw wrong('volumeDevices');
}
