import type { ContainerdSeries } from './binaries.js';
import type { LabLayout } from './layout.js';

export interface ContainerdConfigOptions {
  readonly series: ContainerdSeries;
  readonly layout: LabLayout;
  readonly pauseImage: string;
  readonly cniDir: string;
  /** True when the process may not lower OOM scores: without CAP_SYS_RESOURCE runc would fail every container. */
  readonly restrictOomScoreAdj: boolean;
  readonly apparmor: boolean;
  /** Further runtime handlers, each with the program that runs in the place of runc: a name in PATH or a path. */
  readonly runtimes?: Readonly<Record<string, string>>;
}

// Plugins that write outside the lab's folders, need missing devices, or only slow down the start.
const UNUSED_1_6 = [
  'io.containerd.internal.v1.opt',
  'io.containerd.internal.v1.restart',
  'io.containerd.snapshotter.v1.aufs',
  'io.containerd.snapshotter.v1.btrfs',
  'io.containerd.snapshotter.v1.devmapper',
  'io.containerd.snapshotter.v1.zfs',
  'io.containerd.tracing.processor.v1.otlp',
  'io.containerd.internal.v1.tracing',
];
/** Plugins of containerd 2 that no kubelet needs; some delay the start by seconds. */
export const UNUSED_2: readonly string[] = [
  'io.containerd.internal.v1.opt',
  'io.containerd.monitor.container.v1.restart',
  'io.containerd.nri.v1.nri',
  'io.containerd.snapshotter.v1.blockfile',
  'io.containerd.snapshotter.v1.btrfs',
  'io.containerd.snapshotter.v1.devmapper',
  'io.containerd.snapshotter.v1.erofs',
  'io.containerd.differ.v1.erofs',
  'io.containerd.snapshotter.v1.zfs',
  'io.containerd.tracing.processor.v1.otlp',
  'io.containerd.internal.v1.tracing',
];

/** containerd's configuration file: version 2 of the format for 1.6, version 3 for 2.x. */
export function renderContainerdConfig(options: ContainerdConfigOptions): string {
  return options.series === '1.6' ? renderVersion2(options) : renderVersion3(options);
}

function renderVersion2(options: ContainerdConfigOptions): string {
  const { layout } = options;
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return [
    ...preamble(2, layout, UNUSED_1_6),
    `[${cri}]`,
    `  sandbox_image = ${quoted(options.pauseImage)}`,
    '  max_concurrent_downloads = 10',
    ...streaming(),
    ...runtimeSettings(options),
    `[${cri}.cni]`,
    `  bin_dir = ${quoted(options.cniDir)}`,
    `  conf_dir = ${quoted(layout.cniConfDir)}`,
    `[${cri}.containerd]`,
    '  snapshotter = "overlayfs"',
    ...runtimeHandlers(`${cri}.containerd.runtimes`, options),
    `[${cri}.registry]`,
    `  config_path = ${quoted(layout.hostsDir)}`,
    '',
  ].join('\n');
}

function renderVersion3(options: ContainerdConfigOptions): string {
  const { layout } = options;
  const images = "plugins.'io.containerd.cri.v1.images'";
  const runtime = "plugins.'io.containerd.cri.v1.runtime'";
  return [
    ...preamble(3, layout, UNUSED_2),
    `[${images}]`,
    '  snapshotter = "overlayfs"',
    `[${images}.pinned_images]`,
    `  sandbox = ${quoted(options.pauseImage)}`,
    `[${images}.registry]`,
    `  config_path = ${quoted(layout.hostsDir)}`,
    `[${runtime}]`,
    ...runtimeSettings(options),
    '  enable_cdi = true',
    `  cdi_spec_dirs = [${quoted(layout.cdiDir)}]`,
    `[${runtime}.cni]`,
    // A plugin of a test's own goes where the lab's other tools are.
    `  bin_dirs = [${quoted(options.cniDir)}, ${quoted(layout.toolsDir)}]`,
    `  conf_dir = ${quoted(layout.cniConfDir)}`,
    // Saves a process per pod and a result file outside the lab.
    '  use_internal_loopback = true',
    ...runtimeHandlers(`${runtime}.containerd.runtimes`, options),
    // Without a verifier, the transfer service, which imports and pulls images, does not load.
    "[plugins.'io.containerd.image-verifier.v1.bindir']",
    `  bin_dir = ${quoted(`${layout.runDir}/verifiers`)}`,
    "[plugins.'io.containerd.grpc.v1.cri']",
    ...streaming(),
    '',
  ].join('\n');
}

function preamble(version: number, layout: LabLayout, unused: readonly string[]): string[] {
  return [
    `version = ${version}`,
    `root = ${quoted(layout.rootDir)}`,
    `state = ${quoted(layout.stateDir)}`,
    `disabled_plugins = [${unused.map(quoted).join(', ')}]`,
    '[grpc]',
    `  address = ${quoted(layout.socket)}`,
    '[ttrpc]',
    `  address = ${quoted(`${layout.socket}.ttrpc`)}`,
  ];
}

function streaming(): string[] {
  return ['  stream_server_address = "127.0.0.1"', '  stream_server_port = "0"'];
}

function runtimeSettings({ restrictOomScoreAdj, apparmor }: ContainerdConfigOptions): string[] {
  return [
    '  enable_selinux = false',
    `  disable_apparmor = ${!apparmor}`,
    `  restrict_oom_score_adj = ${restrictOomScoreAdj}`,
    // Puts network namespaces below the lab's own folder, so that unmounting it frees them.
    '  netns_mounts_under_state_dir = true',
    '  enable_unprivileged_ports = true',
    '  enable_unprivileged_icmp = true',
  ];
}

function runtimeHandlers(table: string, { layout, runtimes = {} }: ContainerdConfigOptions): string[] {
  return ['runc', ...Object.keys(runtimes)].flatMap((name) => {
    const program = runtimes[name];
    return [
      `[${table}.${name}]`,
      '  runtime_type = "io.containerd.runc.v2"',
      `[${table}.${name}.options]`,
      ...(program === undefined ? [] : [`  BinaryName = ${quoted(program)}`]),
      '  SystemdCgroup = false',
      // runc's own state; by default it shares a folder with the machine's containerd.
      `  Root = ${quoted(`${layout.runDir}/runc`)}`,
    ];
  });
}

// A JSON string is a valid TOML basic string.
function quoted(text: string): string {
  return JSON.stringify(text);
}
