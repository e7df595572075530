import { createManyToken } from '@podwright/assembly-interface';
import type { VolumePlugin } from './volume-plugin.js';

/**
 * Volume plugins that come and go while the kubelet runs, such as those of FlexVolume drivers. Source: kubernetes v1.36
 * pkg/volume/plugins.go DynamicPluginProber.
 */
export interface VolumeProber {
  /**
   * The plugins of this moment; empty until the prober has started. The volume manager asks at each lookup, so that the
   * prober can probe again, in the background, what failed before. Never throws, and answers at once. An object stays the
   * same as long as nothing changes about its plugin; operations that run go on with the object that they began with.
   */
  plugins(): readonly VolumePlugin[];
}

/** Modules contribute their probers; the volume manager gets all of them. A prober's module is started before it. */
export const VOLUME_PROBERS = createManyToken<VolumeProber>('kubelet.volume-probers/v1');
