import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cgroupHierarchies } from '@podwright/cgroup-files';
import type { CrioPrograms } from './crio-programs.js';
import { labImages } from './images/test-images.js';
import { renderRuncScript } from './lab-runc.js';
import type { LabLayout } from './layout.js';

export interface CrioConfigOptions {
  readonly layout: LabLayout;
  readonly programs: CrioPrograms;
  readonly cniDir: string;
  /** Host and port of the lab's registry, which serves the test images. */
  readonly registry: string;
  /** PATH and LD_LIBRARY_PATH of the lab's tools. */
  readonly env: Readonly<Record<string, string>>;
  /** Path of the OCI runtime, see {@link renderRuncScript}. */
  readonly runc: string;
  readonly apparmor: boolean;
}

/** Files of a lab's CRI-O, all below its folders. */
export interface CrioFiles {
  readonly configDir: string;
  readonly policy: string;
  readonly registries: string;
  readonly storage: string;
  readonly runc: string;
}

export function crioFiles({ runDir, toolsDir }: LabLayout): CrioFiles {
  const folder = path.join(runDir, 'crio');
  return {
    configDir: path.join(folder, 'crio.conf.d'),
    policy: path.join(folder, 'policy.json'),
    registries: path.join(folder, 'registries.conf'),
    storage: path.join(folder, 'storage.conf'),
    runc: path.join(toolsDir, 'lab-runc'),
  };
}

/** Variables that keep CRI-O from reading the machine's own files of container tools. */
export function crioEnvironment(layout: LabLayout): Record<string, string> {
  const { registries, storage } = crioFiles(layout);
  return {
    CONTAINER_REGISTRIES_CONF: registries,
    CONTAINER_REGISTRIES_CONF_DIR: `${registries}.d`,
    CONTAINERS_STORAGE_CONF: storage,
    // The user's folders of configuration and credentials.
    HOME: path.dirname(storage),
    XDG_CONFIG_HOME: path.dirname(storage),
    XDG_RUNTIME_DIR: path.dirname(storage),
  };
}

/** Writes everything that CRI-O reads. */
export async function writeCrioConfiguration(
  options: Omit<CrioConfigOptions, 'runc'> & { readonly runcProgram: string; readonly restrictOomScoreAdj: boolean },
): Promise<void> {
  const { layout, env, runcProgram, restrictOomScoreAdj } = options;
  const files = crioFiles(layout);
  const lowest = restrictOomScoreAdj ? Number(await readFile('/proc/self/oom_score_adj', 'utf8')) : undefined;
  const hugetlb = (await cgroupHierarchies()).some(({ controllers }) => controllers.includes('hugetlb'));
  await mkdir(files.configDir, { recursive: true });
  await writeFile(files.policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
  await writeFile(files.registries, renderRegistries(options.registry));
  await writeFile(files.storage, renderStorage(layout));
  await writeFile(files.runc, renderRuncScript({ program: runcProgram, env, hugetlb, lowestOomScoreAdj: lowest }), {
    mode: 0o755,
  });
  await writeFile(layout.configFile, renderCrioConfig({ ...options, runc: files.runc }));
}

/** Pulls of the test images' names go to the lab's registry, although no host of that name exists. */
function renderRegistries(registry: string): string {
  const [host = ''] = labImages.busybox.split('/');
  return [
    'unqualified-search-registries = []',
    '[[registry]]',
    `prefix = ${quoted(host)}`,
    `location = ${quoted(registry)}`,
    'insecure = true',
    // Registries of tests are on loopback, without TLS, at any port.
    '[[registry]]',
    'location = "127.0.0.1"',
    'insecure = true',
    '',
  ].join('\n');
}

function renderStorage({ runDir, rootDir }: LabLayout): string {
  const lines = ['[storage]', 'driver = "overlay"', `graphroot = ${quoted(rootDir)}`];
  return [...lines, `runroot = ${quoted(path.join(runDir, 'r'))}`, ''].join('\n');
}

/** CRI-O's configuration file. */
export function renderCrioConfig({ layout, programs, cniDir, env, runc, apparmor }: CrioConfigOptions): string {
  const { runDir, dataDir, rootDir } = layout;
  const files = crioFiles(layout);
  const below = (name: string): string => quoted(path.join(runDir, 'crio', name));
  return [
    '[crio]',
    `root = ${quoted(rootDir)}`,
    `runroot = ${quoted(path.join(runDir, 'r'))}`,
    'storage_driver = "overlay"',
    `log_dir = ${below('logs')}`,
    `version_file = ${below('version')}`,
    `version_file_persist = ${quoted(path.join(dataDir, 'crio-version'))}`,
    `clean_shutdown_file = ${quoted(path.join(dataDir, 'crio-clean-shutdown'))}`,
    // They would remove the pods of a lab whose CRI-O was killed.
    'internal_wipe = false',
    'internal_repair = false',
    '[crio.api]',
    `listen = ${quoted(layout.crioSocket)}`,
    'stream_address = "127.0.0.1"',
    'stream_port = "0"',
    '[crio.runtime]',
    'cgroup_manager = "cgroupfs"',
    'selinux = false',
    `apparmor_profile = ${quoted(apparmor ? 'crio-default' : 'unconfined')}`,
    `pinns_path = ${quoted(programs.pinns)}`,
    `namespaces_dir = ${below('ns')}`,
    `container_exits_dir = ${below('exits')}`,
    `container_attach_socket_dir = ${quoted(layout.crioAttachDir)}`,
    `decryption_keys_path = ${below('keys')}`,
    'hooks_dir = []',
    `cdi_spec_dirs = [${quoted(layout.cdiDir)}]`,
    'default_sysctls = ["net.ipv4.ping_group_range=0 2147483647", "net.ipv4.ip_unprivileged_port_start=0"]',
    `irqbalance_config_file = ${below('irqbalance')}`,
    'irqbalance_config_restore_file = "disable"',
    'enable_pod_events = true',
    'default_runtime = "runc"',
    '[crio.runtime.runtimes.runc]',
    `runtime_path = ${quoted(runc)}`,
    'runtime_type = "oci"',
    `runtime_root = ${quoted(path.join(runDir, 'runc'))}`,
    `monitor_path = ${quoted(programs.conmon)}`,
    // With cgroupfs, the only other value is a folder outside of the pod.
    'monitor_cgroup = "pod"',
    `monitor_env = [${Object.entries(env)
      .map(([name, value]) => quoted(`${name}=${value}`))
      .join(', ')}]`,
    '[crio.image]',
    `pause_image = ${quoted(labImages.pause)}`,
    // It has no label for that, as containerd does; tests name their image accordingly.
    `pinned_images = [${quoted(labImages.pause)}, "*-pinned:*"]`,
    `signature_policy = ${quoted(files.policy)}`,
    `signature_policy_dir = ${below('policies')}`,
    `big_files_temporary_dir = ${quoted(dataDir)}`,
    '[crio.network]',
    `network_dir = ${quoted(layout.cniConfDir)}`,
    `plugin_dirs = [${quoted(cniDir)}]`,
    // Else it never tells that the network has gone.
    'cni_status_grace_period = "1s"',
    '[crio.nri]',
    'enable_nri = false',
    '',
  ].join('\n');
}

// A JSON string is a valid TOML basic string.
function quoted(text: string): string {
  return JSON.stringify(text);
}
