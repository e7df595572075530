import { createHash } from 'node:crypto';
import { guestFiles, guestLinks, type GuestFile } from './guest-files.js';

/** Suites of Debian: the first is the guest's own, the others may serve what it does not have. */
export const GUEST_SUITE = 'trixie';
/** Of these the first with containerd 2 gives containerd and runc. */
export const RUNTIME_SUITES: readonly string[] = ['trixie', 'forky', 'sid'];

/** Without recommendations; what they depend on comes by itself. */
export const GUEST_PACKAGES: readonly string[] = [
  'base-files',
  'base-passwd',
  'bash',
  'containernetworking-plugins',
  'coreutils',
  'dash',
  'dbus',
  'findutils',
  'grep',
  'iproute2',
  'iptables',
  'kmod',
  // kmod loads it at run time, to read the kernel's modules.
  'liblzma5',
  // For the host's Node, which runs in the guest.
  'libstdc++6',
  'linux-image-cloud-amd64',
  'mount',
  'procps',
  'sed',
  'systemd',
  'systemd-sysv',
  'udev',
  'util-linux',
];
/** Taken from the suite that has containerd 2. */
export const RUNTIME_PACKAGES: readonly string[] = ['containerd', 'runc'];

/** What nobody in the guest reads. Relative to its root. */
export const UNUSED_FOLDERS: readonly string[] = [
  'usr/share/doc',
  'usr/share/info',
  'usr/share/locale',
  'usr/share/man',
  'usr/share/bash-completion',
];

/** Room for the guest's system and for what its containers write. The file is sparse. */
export const GUEST_DISK_MIB = 1_400;

/** Everything that decides what is on the guest's system disk. */
export interface GuestRecipe {
  /** Raised when the steps of build-guest.ts change. */
  readonly steps: number;
  readonly suite: string;
  readonly runtimeSuites: readonly string[];
  readonly packages: readonly string[];
  readonly runtimePackages: readonly string[];
  readonly unusedFolders: readonly string[];
  readonly diskMib: number;
  readonly files: readonly GuestFile[];
  readonly links: readonly (readonly [link: string, target: string])[];
}

export const guestRecipe: GuestRecipe = {
  steps: 2,
  suite: GUEST_SUITE,
  runtimeSuites: RUNTIME_SUITES,
  packages: GUEST_PACKAGES,
  runtimePackages: RUNTIME_PACKAGES,
  unusedFolders: UNUSED_FOLDERS,
  diskMib: GUEST_DISK_MIB,
  files: guestFiles,
  links: guestLinks,
};

/**
 * Names the disk in the cache: another recipe, another disk. Versions of packages are not part of it, because nobody may have
 * to ask the mirror for a disk that is there; packages.json beside the disk names them.
 */
export function recipeKey(recipe: GuestRecipe): string {
  return createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
}
