import type { PersistentVolume, Volume } from '@podwright/kube-types';
import type { VolumePlugin } from '@podwright/volume-interface';

/** The plugin for a volume; upstream's error text when none or several match. */
export function findPlugin(
  plugins: readonly VolumePlugin[],
  volume: Volume,
  persistentVolume?: PersistentVolume,
): VolumePlugin | string {
  const [plugin, ...others] = plugins.filter((candidate) => candidate.canSupport(volume, persistentVolume));
  if (plugin === undefined) return 'no volume plugin matched';
  if (others.length === 0) return plugin;
  return `multiple volume plugins matched: ${[plugin, ...others].map(({ name }) => name).join(',')}`;
}
