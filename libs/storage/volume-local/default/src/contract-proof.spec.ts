import { rm } from 'node:fs/promises';
import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { VolumeMounter, VolumePlugin } from '@podwright/volume-interface';
import { describeVolumePluginContract, type VolumePluginHarness } from '@podwright/volume-interface/contract';
import { createEmptyDirHarness } from './fixtures/plugin-harness.js';

type Breakage = (good: VolumePluginHarness) => Partial<VolumePluginHarness>;
const plugin = (replaced: (good: VolumePlugin) => Partial<VolumePlugin>): Breakage => breaksIn('plugin', replaced);
const mounter = (replaced: (good: VolumeMounter) => Partial<VolumeMounter>): Breakage =>
  plugin((good) => ({
    newMounter: (spec) => {
      const made = good.newMounter(spec);
      return breaks(made, replaced(made));
    },
  }));
const restarted =
  (replaced: (good: VolumePlugin) => Partial<VolumePlugin>): Breakage =>
  ({ restart }) => ({
    restart: () => {
      const made = restart();
      return breaks(made, replaced(made));
    },
  });

describeContractProof(
  'VolumePlugin',
  (create) => describeVolumePluginContract('a broken plugin', create),
  createEmptyDirHarness,
  {
    'supports volumes of its kind, and of no other': {
      'it supports none': plugin(() => ({ canSupport: () => false })),
      'it supports all': plugin(() => ({ canSupport: () => true })),
    },
    'has its folder below the volumes of the pod, by its name and that of the volume': {
      'its name has no vendor': plugin(() => ({ name: 'empty-dir' })),
      'its folder is the pod directory itself': mounter(() => ({ hostPath: '/pods/uid-1' })),
    },
    'makes nothing before it is set up, and keeps what is inside when it is set up again': {
      'the second set-up begins anew': mounter((good) => ({
        setUp: async (signal) => {
          await rm(good.hostPath, { recursive: true, force: true });
          await good.setUp(signal);
        },
      })),
      'a set-up after a restart refuses what is there': restarted((good) => ({
        newMounter: (spec) => breaks(good.newMounter(spec), { setUp: () => Promise.reject(new Error('it exists')) }),
      })),
    },
    'is taken down by path alone, after a restart, twice, and where nothing was made': {
      'what was never made is an error': plugin(() => ({ tearDown: () => Promise.reject(new Error('missing')) })),
      'after a restart nothing is removed': restarted(() => ({ tearDown: () => Promise.resolve() })),
    },
  },
);
