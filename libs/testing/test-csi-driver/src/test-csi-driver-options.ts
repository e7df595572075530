import { createSystemClock, type Clock } from '@podwright/time';
import type { CsiCapability } from './csi-capabilities.js';
import type { VolumeKind } from './volumes/volume-folder.js';

/** What a volume is when nobody says otherwise. */
export interface VolumeDefaults {
  readonly kind: VolumeKind;
  readonly capacityBytes: number;
  /** `ext4` or `xfs`. */
  readonly fsType: string;
}

/** See the README for the defaults. */
export interface TestCsiDriverOptions {
  /** The driver's name, such as `disks.example.com`. */
  readonly name: string;
  /** Folder for the volumes' data; another driver with this folder has the same volumes. */
  readonly dir: string;
  readonly nodeId?: string;
  readonly capabilities?: readonly CsiCapability[];
  /** Labels of the node. */
  readonly topology?: Readonly<Record<string, string>>;
  /** 0: no limit. */
  readonly maxVolumes?: number;
  /** What a volume is whose context says nothing about `kind` and `capacity`. */
  readonly volumes?: Partial<VolumeDefaults>;
  /** What to do with a volume that does not exist: make it, or answer NotFound. */
  readonly unknownVolumes?: 'create' | 'refuse';
  /** Larger volumes are refused with OutOfRange. */
  readonly maxCapacityBytes?: number;
  /** Versions of CSI to register. */
  readonly versions?: readonly string[];
  /** For mount(8), losetup(8), mkfs(8) and the like. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
}

export interface DriverSettings extends Required<Omit<TestCsiDriverOptions, 'volumes'>> {
  readonly volumes: VolumeDefaults;
}

const mebibyte = 2 ** 20;

export function driverSettings({ volumes, ...options }: TestCsiDriverOptions): DriverSettings {
  return {
    nodeId: 'node',
    capabilities: ['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS', 'EXPAND_VOLUME'],
    topology: {},
    maxVolumes: 0,
    // Enough for the smallest xfs; an image takes up only the blocks that were written.
    volumes: { kind: 'disk', capacityBytes: 512 * mebibyte, fsType: 'ext4', ...volumes },
    unknownVolumes: 'create',
    maxCapacityBytes: mebibyte * mebibyte,
    versions: ['1.9.0'],
    env: process.env,
    clock: createSystemClock(),
    ...options,
  };
}
