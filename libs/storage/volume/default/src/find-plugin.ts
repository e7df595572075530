import type { Volume } from '@podwright/kube-types';
import type { VolumePlugin } from '@podwright/volume-interface';

/** The one plugin for a volume, or upstream's text of why there is none. */
export function findPlugin(plugins: readonly VolumePlugin[], volume: Volume): VolumePlugin | string {
  const [plugin, ...others] = plugins.filter((candidate) => candidate.canSupport(volume));
  if (plugin === undefined) return 'no volume plugin matched';
  if (others.length === 0) return plugin;
  return `multiple volume plugins matched: ${[plugin, ...others].map(({ name }) => name).join(',')}`;
}
