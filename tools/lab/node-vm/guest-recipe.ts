import { createHash } from 'node:crypto';
import { guestFiles, guestLinks, type GuestFile } from './guest-files.js';

/** Debian suite of the guest. */
export const GUEST_SUITE = 'trixie';
/** containerd and runc come from the first of these with containerd 2. */
export const RUNTIME_SUITES: readonly string[] = ['trixie', 'forky', 'sid'];

/** Installed without recommendations; dependencies are added automatically. */
export const GUEST_PACKAGES: readonly string[] = [
  'base-files',
  'base-passwd',
  'bash',
  'containernetworking-plugins',
  'coreutils',
  'dash',
  'dbus',
  // To install packages in the guest. dpkg or scripts of packages also need diffutils, init-system-helpers, libc-bin,
  // perl-base and tar.
  'diffutils',
  'dpkg',
  // The volume cases make and grow file systems; lsattr reads projects.
  'e2fsprogs',
  'findutils',
  'grep',
  'init-system-helpers',
  'iproute2',
  'iptables',
  'kmod',
  // kmod loads it at run time to read compressed modules.
  'liblzma5',
  // The host's Node needs it in the guest.
  'libstdc++6',
  'linux-image-cloud-amd64',
  'mount',
  // The guest's kernel can be NFS server and iSCSI target: for the cases with such volumes, and for tries by hand.
  'nfs-common',
  'nfs-kernel-server',
  'open-iscsi',
  'perl-base',
  'procps',
  'sed',
  'systemd',
  'systemd-sysv',
  'tar',
  'udev',
  'util-linux',
  'xfsprogs',
];
/** From the suite that has containerd 2; libc-bin, because the libc of that suite may be newer and needs the same one. */
export const RUNTIME_PACKAGES: readonly string[] = ['containerd', 'libc-bin', 'runc'];

/** Folders that the guest does not need, relative to its root. */
export const UNUSED_FOLDERS: readonly string[] = [
  'usr/share/doc',
  'usr/share/info',
  'usr/share/locale',
  'usr/share/man',
  'usr/share/bash-completion',
];

/** Size of the guest's system disk, with space for its containers. The file is sparse. */
export const GUEST_DISK_MIB = 1_400;

/** Everything that determines the content of the guest's system disk. */
export interface GuestRecipe {
  /** Increase it when the steps of build-guest.ts change. */
  readonly steps: number;
  readonly suite: string;
  readonly runtimeSuites: readonly string[];
  readonly packages: readonly string[];
  readonly runtimePackages: readonly string[];
  readonly unusedFolders: readonly string[];
  readonly diskMib: number;
  readonly files: readonly GuestFile[];
  readonly links: readonly (readonly [link: string, target: string])[];
  /** Keeps the kernel's configuration in /boot, where checks of a machine read it. */
  readonly keepsKernelConfiguration?: true;
}

export const guestRecipe: GuestRecipe = {
  steps: 3,
  suite: GUEST_SUITE,
  runtimeSuites: RUNTIME_SUITES,
  packages: GUEST_PACKAGES,
  runtimePackages: RUNTIME_PACKAGES,
  unusedFolders: UNUSED_FOLDERS,
  diskMib: GUEST_DISK_MIB,
  files: guestFiles,
  links: guestLinks,
};

/** A guest with room for a control plane's images. */
export const controlPlaneGuestRecipe: GuestRecipe = {
  ...guestRecipe,
  diskMib: 6_000,
  keepsKernelConfiguration: true,
};

/**
 * Key of the disk in the cache; another recipe gives another disk. It excludes package versions, so that an existing
 * disk needs no request to the mirror; packages.json beside the disk lists them.
 */
export function recipeKey(recipe: GuestRecipe): string {
  return createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
}
