import type { FlagDefinition } from './flag-definition.js';
import * as kinds from './flag-kinds.js';
import { kubernetesVersion } from './reported-version.js';

/** The flags that are not in the configuration file. Relative paths are relative to the working directory. */
export interface KubeletFlags {
  readonly config: string;
  readonly configDir: string;
  /** Empty: standalone, no API server. */
  readonly kubeconfig: string;
  readonly bootstrapKubeconfig: string;
  readonly hostnameOverride: string;
  readonly nodeIp: string;
  readonly certDir: string;
  readonly cloudProvider: string;
  readonly rootDir: string;
  /** True enables it even when the configuration's field is false. */
  readonly seccompDefault: boolean;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly lockFile: string;
  readonly exitOnLockContention: boolean;
  readonly runtimeCgroups: string;
  readonly imageCredentialProviderConfig: string;
  readonly imageCredentialProviderBinDir: string;
  /** Go duration. */
  readonly minimumContainerTtlDuration: string;
  readonly maximumDeadContainersPerContainer: number;
  readonly maximumDeadContainers: number;
  readonly experimentalMounterPath: string;
  readonly experimentalAllocatableIgnoreEviction: boolean;
  /** Go duration. */
  readonly housekeepingInterval: string;
  /** Go duration. */
  readonly maxHousekeepingInterval: string;
  /** Comma-separated files; the first that can be read has the machine's ID. */
  readonly machineIdFile: string;
  /** As `machineIdFile`, for the ID of this boot. */
  readonly bootIdFile: string;
  /** Path of an assembly file, which replaces parts of the kubelet. Upstream has no such flag. */
  readonly assembly: string;
  /** Address of the console on loopback; empty: it is off. Upstream has no such flag. */
  readonly consoleAddress: string;
  /** True records what comes in and what is decided, for `replay`. Upstream has no such flag. */
  readonly flightRecorder: 'always' | 'on-demand' | '';
  readonly version: kinds.VersionChoice;
}

const { bool, duration, goFlag, int32, int64, labels, text } = kinds;
const evictionInstead = 'Use --eviction-hard or --eviction-soft instead. Will be removed in a future version.';
const cadvisor =
  'This is a cadvisor flag that was mistakenly registered with the Kubelet. Due to legacy concerns, it will follow the standard CLI deprecation timeline before being removed.';

/** Sources: kubernetes v1.36 cmd/kubelet/app/options/options.go AddFlags, globalflags_linux.go. */
export const kubeletFlags: readonly FlagDefinition[] = [
  { name: 'config', kind: text, default: '', help: 'configuration file; flags win over it' },
  { name: 'config-dir', kind: text, default: '', help: 'folder of .conf files merged onto the configuration' },
  { name: 'kubeconfig', kind: text, default: '', help: 'credentials for the API server; empty = standalone' },
  {
    name: 'bootstrap-kubeconfig',
    kind: text,
    default: '',
    help: 'credentials to get the first client certificate with',
  },
  { name: 'hostname-override', kind: text, default: '', help: 'node name instead of the hostname' },
  { name: 'node-ip', kind: text, default: '', help: 'address, or dual-stack pair, of the node' },
  { name: 'cert-dir', kind: text, default: '/var/lib/kubelet/pki', help: 'folder of certificates' },
  { name: 'cloud-provider', kind: text, default: '', help: 'empty or external' },
  { name: 'root-dir', kind: text, default: '/var/lib/kubelet', help: 'folder of all state' },
  { name: 'seccomp-default', kind: bool, default: false, help: 'RuntimeDefault for pods without a seccomp profile' },
  { name: 'node-labels', kind: labels, default: {}, help: 'labels of a new node, key=value,...' },
  { name: 'lock-file', kind: text, default: '', help: 'file to hold a lock on' },
  {
    name: 'exit-on-lock-contention',
    kind: bool,
    default: false,
    help: 'exit when another process opens the lock file',
  },
  { name: 'runtime-cgroups', kind: text, default: '', help: 'cgroup of the runtime, for statistics' },
  {
    name: 'image-credential-provider-config',
    kind: text,
    default: '',
    help: 'file or folder with credential providers',
  },
  {
    name: 'image-credential-provider-bin-dir',
    kind: text,
    default: '',
    help: 'folder of credential provider programs',
  },
  {
    name: 'housekeeping-interval',
    kind: goFlag(duration),
    default: '10s',
    help: 'a container measurement up to this old answers requests',
  },
  {
    name: 'max-housekeeping-interval',
    kind: goFlag(duration),
    default: '15s',
    help: 'has no effect, in v1.36 neither',
  },
  {
    name: 'machine-id-file',
    kind: text,
    default: '/etc/machine-id,/var/lib/dbus/machine-id',
    help: "files with the machine's ID, by comma; the first readable one counts",
    deprecated: cadvisor,
  },
  {
    name: 'boot-id-file',
    kind: text,
    default: '/proc/sys/kernel/random/boot_id',
    help: "files with the boot's ID, by comma; the first readable one counts",
    deprecated: cadvisor,
  },
  {
    name: 'assembly',
    kind: text,
    default: '',
    help: 'assembly file that replaces parts of the kubelet; the word assembly before the flags shows the result: assembly check|print|graph',
  },
  {
    name: 'console-address',
    kind: text,
    default: '',
    help: 'address of loopback for a web page of the node, such as 127.0.0.1:4194, and the same on the main port below /console/; empty = off',
  },
  {
    name: 'flight-recorder',
    kind: kinds.mode(['always', 'on-demand']),
    default: '',
    help: 'record what comes in and what is decided; always (also without a value): the last of it below the root folder; on-demand: nothing until somebody asks with podwright record; kubelet replay FILE shows a recording',
  },
  {
    name: 'version',
    kind: kinds.version,
    default: { print: 'no', reported: kubernetesVersion },
    help: 'true: print the version; raw: all of it; vX.Y.Z: report this',
  },
  { name: 'help', shorthand: 'h', kind: bool, default: false, help: 'print this text' },
  {
    name: 'minimum-container-ttl-duration',
    kind: duration,
    default: '0s',
    help: 'least age of a dead container',
    deprecated: evictionInstead,
  },
  {
    name: 'maximum-dead-containers-per-container',
    kind: int32,
    default: 1,
    help: 'dead instances kept per container',
    deprecated: evictionInstead,
  },
  {
    name: 'maximum-dead-containers',
    kind: int32,
    default: -1,
    help: 'dead containers kept in all; negative = no limit',
    deprecated: evictionInstead,
  },
  {
    name: 'experimental-mounter-path',
    kind: text,
    default: '',
    help: 'mounter program',
    deprecated: 'will be removed in 1.25 or later. in favor of using CSI.',
  },
  {
    name: 'experimental-allocatable-ignore-eviction',
    kind: bool,
    default: false,
    help: 'leave hard eviction out of node allocatable',
    deprecated: 'will be removed in 1.25 or later.',
  },
];

/** Flags that are accepted for old unit files, but have no effect. */
export const cadvisorFlags: readonly FlagDefinition[] = (
  [
    ['application-metrics-count-limit', goFlag(int64), 100],
    ['container-hints', text, '/etc/cadvisor/container_hints.json'],
    ['containerd', text, '/run/containerd/containerd.sock'],
    ['containerd-namespace', text, 'k8s.io'],
    ['enable-load-reader', goFlag(bool), false],
    ['event-storage-age-limit', text, 'default=0'],
    ['event-storage-event-limit', text, 'default=0'],
    ['global-housekeeping-interval', goFlag(duration), '1m0s'],
    ['log-cadvisor-usage', goFlag(bool), false],
    ['storage-driver-user', text, 'root'],
    ['storage-driver-password', text, 'root'],
    ['storage-driver-host', text, 'localhost:8086'],
    ['storage-driver-db', text, 'cadvisor'],
    ['storage-driver-table', text, 'stats'],
    ['storage-driver-secure', goFlag(bool), false],
    ['storage-driver-buffer-duration', goFlag(duration), '1m0s'],
  ] as const
).map(([name, kind, value]) => ({ name, kind, default: value, help: 'has no effect', deprecated: cadvisor }));
