import { UNUSED_2 } from '../containerd-config.js';

/** A file of the guest's system with its absolute path. */
export interface GuestFile {
  readonly path: string;
  readonly text: string;
}

/** Mount point of the second disk, which has the programs of a run. */
export const PROGRAMS_DIR = '/podwright';
/** Bridge of the pods; its address is the node's. */
export const GUEST_BRIDGE = { name: 'cni0', address: '10.88.0.1', subnet: '10.88.0.0/24' } as const;
/** The guest reports through the second serial port; the first is the console. */
export const REPORT_DEVICE = '/dev/ttyS1';
/** Kernel argument that starts a root shell on the console instead of the program of the run. */
export const SHELL_ARGUMENT = 'podwright.shell';

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

const NETWORK_UNIT = lines(
  '[Unit]',
  'Description=Bridge of the pods',
  'Before=containerd.service',
  '[Service]',
  'Type=oneshot',
  'RemainAfterExit=yes',
  `ExecStart=/usr/sbin/ip link add ${GUEST_BRIDGE.name} type bridge`,
  `ExecStart=/usr/sbin/ip address add ${GUEST_BRIDGE.address}/24 dev ${GUEST_BRIDGE.name}`,
  `ExecStart=/usr/sbin/ip link set ${GUEST_BRIDGE.name} up`,
  'ExecStart=/usr/sbin/ip link set lo up',
);

// Uses the disk's device name and not a label, so that the boot does not wait for udev.
const PROGRAMS_UNIT = lines(
  '[Unit]',
  'Description=Programs of this run',
  '[Service]',
  'Type=oneshot',
  'RemainAfterExit=yes',
  'ExecStart=/usr/sbin/modprobe -a virtio_pci virtio_blk',
  `ExecStart=/usr/bin/mount -o ro /dev/vda ${PROGRAMS_DIR}`,
);

const RUN_UNIT = lines(
  '[Unit]',
  'Description=The program that this machine was started for',
  `ConditionKernelCommandLine=!${SHELL_ARGUMENT}`,
  'Requires=podwright-programs.service',
  'After=podwright-programs.service containerd.service dbus.socket',
  '[Service]',
  // Raw mode, so that the terminal driver does not change the reports.
  `ExecStartPre=/usr/bin/stty -F ${REPORT_DEVICE} raw -echo`,
  `ExecStart=${PROGRAMS_DIR}/run`,
  'StandardOutput=journal+console',
  'StandardError=journal+console',
);

const SHELL_UNIT = lines(
  '[Unit]',
  'Description=A shell on the console',
  `ConditionKernelCommandLine=${SHELL_ARGUMENT}`,
  'After=podwright-programs.service containerd.service',
  '[Service]',
  'Type=idle',
  `WorkingDirectory=${PROGRAMS_DIR}`,
  'Environment=HOME=/root TERM=vt102',
  'ExecStart=/usr/bin/bash -i',
  'ExecStopPost=/usr/bin/systemctl --no-block poweroff',
  'StandardInput=tty-force',
  'StandardOutput=inherit',
  'StandardError=inherit',
  'TTYPath=/dev/ttyS0',
);

// As distributions configure it for Kubernetes on systemd.
const CONTAINERD_CONFIG = lines(
  'version = 3',
  'disabled_plugins = [',
  ...UNUSED_2.map((plugin) => `  "${plugin}",`),
  ']',
  "[plugins.'io.containerd.cri.v1.images'.pinned_images]",
  '  sandbox = "podwright.local/pause:1"',
  "[plugins.'io.containerd.cri.v1.runtime']",
  '  enable_selinux = false',
  '  disable_apparmor = true',
  "[plugins.'io.containerd.cri.v1.runtime'.cni]",
  '  bin_dirs = ["/usr/lib/cni"]',
  '  conf_dir = "/etc/cni/net.d"',
  '  use_internal_loopback = true',
  "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]",
  '  runtime_type = "io.containerd.runc.v2"',
  "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]",
  '  SystemdCgroup = true',
);

const CNI_CONFIG = JSON.stringify({
  cniVersion: '1.0.0',
  name: 'node-vm',
  plugins: [
    {
      type: 'bridge',
      bridge: GUEST_BRIDGE.name,
      isGateway: true,
      ipam: { type: 'host-local', ranges: [[{ subnet: GUEST_BRIDGE.subnet }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
  ],
});

const unit = (name: string, text: string): GuestFile => ({ path: `/etc/systemd/system/${name}`, text });

export const guestFiles: readonly GuestFile[] = [
  { path: '/etc/hostname', text: 'node-vm\n' },
  { path: '/etc/hosts', text: '127.0.0.1 localhost node-vm\n' },
  { path: '/etc/resolv.conf', text: 'nameserver 127.0.0.1\n' },
  { path: '/etc/fstab', text: '' },
  // A fixed id, so that a start does not count as a first boot.
  { path: '/etc/machine-id', text: '706f6477726967687400000000000001\n' },
  { path: '/etc/containerd/config.toml', text: CONTAINERD_CONFIG },
  { path: '/etc/cni/net.d/10-node-vm.conflist', text: CNI_CONFIG },
  { path: '/etc/modules-load.d/podwright.conf', text: 'overlay\nbridge\nveth\n' },
  { path: '/etc/sysctl.d/podwright.conf', text: 'net.ipv4.ip_forward = 1\n' },
  // Its default of 64 MiB would count as memory pressure.
  { path: '/etc/systemd/journald.conf.d/podwright.conf', text: '[Journal]\nStorage=volatile\nRuntimeMaxUse=8M\n' },
  unit('podwright-network.service', NETWORK_UNIT),
  unit('podwright-programs.service', PROGRAMS_UNIT),
  unit('podwright-run.service', RUN_UNIT),
  unit('podwright-shell.service', SHELL_UNIT),
];

const started = (name: string, folder = '/etc/systemd/system'): readonly [string, string] => [
  `/etc/systemd/system/multi-user.target.wants/${name}`,
  `${folder}/${name}`,
];
const masked = (name: string): readonly [string, string] => [`/etc/systemd/system/${name}`, '/dev/null'];

/** Symbolic links that enable and mask units. */
export const guestLinks: readonly (readonly [link: string, target: string])[] = [
  // Programs that look for a socket there find it, as on every Debian.
  ['/var/run', '/run'],
  ['/etc/systemd/system/default.target', '/usr/lib/systemd/system/multi-user.target'],
  started('containerd.service', '/usr/lib/systemd/system'),
  started('podwright-network.service'),
  started('podwright-programs.service'),
  started('podwright-run.service'),
  started('podwright-shell.service'),
  // Masked: only for machines with logins, with more hardware, or just installed.
  ...[
    'e2scrub_reap.service',
    'getty.target',
    'ldconfig.service',
    'modprobe@.service',
    'run-lock.mount',
    'serial-getty@.service',
    'sys-kernel-debug.mount',
    'sys-kernel-tracing.mount',
    'systemd-firstboot.service',
    'systemd-hwdb-update.service',
    'systemd-journal-catalog-update.service',
    'systemd-pstore.service',
    'systemd-random-seed.service',
    'systemd-udev-settle.service',
    'systemd-udev-trigger.service',
    'systemd-update-done.service',
  ].map(masked),
  ...['iptables', 'iptables-save', 'iptables-restore', 'ip6tables', 'ip6tables-save', 'ip6tables-restore'].map(
    (name): readonly [string, string] => [`/usr/sbin/${name}`, 'xtables-nft-multi'],
  ),
];
