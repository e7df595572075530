import { assemble, assemblyApiVersion } from '@podwright/assembly';
import {
  CLOCK,
  LOGGER,
  METRICS,
  RANDOM,
  contribution,
  defineModule,
  provideValue,
  type AnyModule,
  type Assembly,
} from '@podwright/assembly-interface';
import { CGROUP_DRIVER_MISMATCH } from '@podwright/cgroup-interface';
import { KUBE_TRANSPORT, type KubeTransport } from '@podwright/kube-client-interface';
import type { MountTools } from '@podwright/filesystem';
import { IMAGE_FS_STATS, STATS_PROVIDER, type ImageFsStats, type StatsProvider } from '@podwright/stats-interface';
import { IMAGE_SERVICE, RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { ImageService, RuntimeConnection, RuntimeService } from '@podwright/cri-client-interface';
import { RECORDING_FACTS } from '@podwright/flight-recorder-interface';
import { defaultKubeletConfiguration, FeatureGates, parseKubeletFlags } from '@podwright/kubelet-configuration';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import type { Logger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { HOST_NETWORK, type HostNetwork } from '@podwright/node-status';
import { PROBERS, type Probers } from '@podwright/probe-interface';
import { KUBELET_PROCESS, METRICS_PAGES } from '@podwright/server-interface';
import { createResourceMetrics } from '@podwright/stats';
import type { Clock, Random } from '@podwright/time';
import { createFileUserNamespaces, userNamespacesNeeds } from '@podwright/user-namespace';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { MOUNT_TOOLS } from '@podwright/volume-interface';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { registerComponentMetrics } from '../component-metrics.js';
import { createKubeletProcess } from '../kubelet-process.js';
import type { KubeletProgram } from '../kubelet-program.js';
import { assemblyFor } from '../kubelet-setup.js';
import { knownModules } from '../modules.js';
import { recordingFacts } from '../recording-facts.js';
import type { MemoryPodSource } from './memory-pod-source.js';
import { createSimulatedMachine, type SimulatedMachine } from './simulated-machine.js';

export interface SimulatedKubeletOptions {
  /** Parent of the root and log folders; a second kubelet in the same folder finds the state of the first. */
  readonly dir: string;
  readonly cri: RuntimeService & ImageService & RuntimeConnection;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly nodeName: string;
  /** The program that it is. Default: the kubelet. */
  readonly program?: KubeletProgram;
  /** Further flags of its command line. */
  readonly argv?: readonly string[];
  /** Configuration fields that differ from the defaults. */
  readonly configuration?: Partial<KubeletConfiguration>;
  /** Options by module name; they override those from the configuration. */
  readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Assembly file as for `--assembly`. A module that the simulation replaces has its own name there. */
  readonly assemblyFile?: string;
  /** Entries of an assembly file in its place. Those about a module that the simulation does not have do nothing. */
  readonly changes?: readonly Readonly<Record<string, unknown>>[];
  /** Connection to an API server; with it the kubelet has the modules of `--kubeconfig`. */
  readonly transport?: KubeTransport;
  /** Added to those of the kubelet. */
  readonly modules?: readonly AnyModule[];
  /** Pods in memory, in addition to `staticPodPath`. Without it, the kubelet has its shipped pod configuration. */
  readonly source?: Pick<MemoryPodSource, 'module'>;
  /**
   * Results of probes, because containers here have no sockets. Without it, the shipped probers run, of which only exec
   * works.
   */
  readonly probers?: Probers;
  /**
   * Node usage instead of this machine's numbers. With it, local storage is limited and the image file system is
   * simulated.
   */
  readonly summary?: StatsProvider['summary'];
  /** With `summary`: the runtime's file systems. Default: those of the summary, and the runtime reports the machine's. */
  readonly imageFsStats?: ImageFsStats['imageFsStats'];
  /** Names of modules that it does not have. */
  readonly without?: readonly string[];
  /** Longest wait for one manager to stop, in milliseconds. Default 1500. */
  readonly stopTimeoutMs?: number;
  /** The machine that it sees; many kubelets may see one. Default: one of two cores and 8 GiB, in `dir`. */
  readonly machine?: SimulatedMachine;
}

const kubelet: KubeletProgram = { program: 'kubelet', parts: [] };

// Left out: their gRPC servers and watches would use the real disk and real time.
const socketModules = [
  '@podwright/pod-resources',
  '@podwright/plugin-watcher',
  '@podwright/device-manager',
  '@podwright/oom-watcher', // reads this machine's kernel messages
  '@podwright/iptables', // changes this machine's packet filter
];

/**
 * The kubelet as shipped, assembled on a runtime in this process. It uses no socket, cgroup or port, and no file
 * outside `dir`. The assembly is constructed but not started.
 */
export async function assembleSimulatedKubelet(given: SimulatedKubeletOptions): Promise<Assembly> {
  const { dir, cri, clock, random, logger, nodeName, program = kubelet, stopTimeoutMs = 1_500 } = given;
  await mkdir(dir, { recursive: true });
  const machine = given.machine ?? (await createSimulatedMachine(dir));
  const { hostRoot, mountInfoFile, cores, memoryBytes, address } = machine;
  const configuration: KubeletConfiguration = {
    ...defaultKubeletConfiguration(program.configurationDefaults ?? {}),
    podLogsDir: path.join(dir, 'pod-logs'),
    volumePluginDir: path.join(dir, 'volume-plugins'),
    clusterDNS: ['10.96.0.10'],
    enableServer: false,
    readOnlyPort: 0,
    healthzPort: 0,
    ...given.configuration,
  };
  const gates = FeatureGates.defaults().withMap(configuration.featureGates);
  const metrics = createMetricsRegistry();
  registerComponentMetrics(metrics, gates);
  const argv = ['--root-dir', path.join(dir, 'root'), '--cert-dir', path.join(dir, 'root/pki'), ...(given.argv ?? [])];
  const kubeconfig = given.transport === undefined ? [] : ['--kubeconfig', path.join(dir, 'kubeconfig')];
  const parsed = parseKubeletFlags([...argv, ...kubeconfig], program);
  const { flags, ownFlags } = parsed;
  const nodeIps = [address];
  const ips = { nodeIps, givenNodeIps: [], invalidNodeIps: [] };
  const swap = { swapBytes: 0, swapControllerAvailable: true };
  const facts = { nodeName, ...ips, ...swap, memoryBytes, cores, cgroupVersion: 2 } as const;
  const replacements: Readonly<Record<string, AnyModule>> = {
    '@podwright/cri-client': inProcessRuntimeModule(
      given.summary === undefined || given.imageFsStats !== undefined ? cri : withImagesIn(hostRoot, cri),
    ),
    ...(given.summary && { '@podwright/stats': statsModule(given.summary, given.imageFsStats, logger) }),
    '@podwright/user-namespace': userNamespacesModule(flags.rootDir),
    ...(given.probers && { '@podwright/probe#probers': probersModule(given.probers) }),
    ...(given.transport && { '@podwright/kube-transport': transportModule(given.transport) }),
    ...(given.source && { '@podwright/pod-config': given.source.module(nodeName, configuration.staticPodPath) }),
  };
  const { modules, config } = assemblyFor(
    { configuration, flags, ownFlags, facts, featureGates: gates },
    program.parts,
  );
  const left = new Set([...socketModules, ...(given.without ?? [])]);
  const options = Object.fromEntries(
    Object.entries(config).filter(([name]) => replacements[name] === undefined && !left.has(name)),
  );
  const settings = { configuration, commandLine: configuration, ...parsed };
  const kubeletProcess = createKubeletProcess(settings, program, { clock, logger: rootLogger });
  const containerLogsDir = path.join(dir, 'container-logs');
  const assembled = [
    ...modules.filter(({ name }) => !left.has(name)).map((module) => replacements[module.name] ?? module),
    ...(given.modules ?? []),
  ];
  const assemblyFile = given.changes ? await writeChanges(dir, given.changes, assembled) : given.assemblyFile;
  return assemble({
    modules: assembled,
    known: knownModules,
    assemblyFile,
    config: overlay(
      overlay(options, {
        '@podwright/cgroup': { mountInfoFile, hostRoot, kernelTunables: 'warn', oomScoreAdj: undefined },
        ...(given.machine && given.transport && { '@podwright/node-status#reporter': { hostRoot } }),
        [given.transport ? '@podwright/node-status#api' : '@podwright/node-status']: { hostRoot },
        '@podwright/volume-api-data': { hasApiServer: given.transport !== undefined },
        '@podwright/admission': { hostRoot, kernelRelease: '6.1.0' },
        '@podwright/container-runtime': { containerLogsDir },
        '@podwright/container-gc': { containerLogsDir },
        // Without a summary, the simulation must not depend on this machine's disks.
        ...(given.summary === undefined && { '@podwright/eviction': { localStorageCapacityIsolation: false } }),
        // Containers here write no log files.
        '@podwright/log-rotation': { maxSizeBytes: -1 },
        // The simulation has no disk for images.
        '@podwright/image-gc': { highThresholdPercent: 100 },
      }),
      given.options ?? {},
    ),
    values: [
      provideValue(CLOCK, clock),
      provideValue(LOGGER, logger),
      provideValue(METRICS, metrics),
      provideValue(RANDOM, random),
      provideValue(CGROUP_DRIVER_MISMATCH, (reason) => logger.error(reason)),
      provideValue(MOUNT_TOOLS, noMounts),
      provideValue(HOST_NETWORK, simulatedNetwork(address)),
      provideValue(KUBELET_PROCESS, kubeletProcess),
      provideValue(RECORDING_FACTS, () => recordingFacts(program, kubeletProcess, ownFlags, facts)),
    ],
    logger,
    clock,
    stopTimeoutMs,
  });
}

async function writeChanges(
  dir: string,
  changes: NonNullable<SimulatedKubeletOptions['changes']>,
  modules: readonly AnyModule[],
): Promise<string> {
  // An option may be for a module that another entry puts in.
  const names = new Set<unknown>([...modules.map(({ name }) => name), ...changes.map((entry) => entry['with'])]);
  const file = path.join(dir, 'assembly.json');
  const own = changes.filter((entry) => names.has(entry['name'] ?? entry['omit'] ?? entry['replace']));
  await writeFile(file, JSON.stringify({ apiVersion: assemblyApiVersion, kind: 'Assembly', modules: own }));
  return file;
}

// The shipped module runs programs of the host for subordinate ids, and the virtual clock does not wait for child
// processes.
function userNamespacesModule(rootDir: string): AnyModule {
  return defineModule({
    name: 'simulated-user-namespaces',
    provides: [USER_NAMESPACES],
    needs: userNamespacesNeeds,
    create: (deps) =>
      createFileUserNamespaces(
        {
          ...deps,
          run: async ({ file }) => ({
            end: { how: 'not-started', error: { code: 'ENOENT' } },
            problem: `${file} is not there`,
            ...{ stdout: '', stderr: '' },
          }),
        },
        { rootDir },
      ),
  });
}

/** One interface with the machine's address; it resolves no names. */
const simulatedNetwork = (address: string): HostNetwork => ({
  addresses: async () => [{ interfaceName: 'eth0', address, internal: false }],
  defaultRoutes: async () => [{ interfaceName: 'eth0', family: 4 }],
  lookup: () => Promise.reject(new Error('no resolver')),
});

// The test chooses the log level, so the kubelet must not change it.
const rootLogger = { setVerbosity: () => undefined, flush: async () => undefined };

/** Memory volumes are plain directories here: mounting needs root and a mount namespace of its own. */
const noMounts: MountTools = { mount: async () => undefined, unmount: async () => undefined, list: async () => [] };

function inProcessRuntimeModule(cri: SimulatedKubeletOptions['cri']): AnyModule {
  return defineModule({
    name: 'in-process-runtime',
    provides: [RUNTIME_CONNECTION, RUNTIME_SERVICE, IMAGE_SERVICE],
    create: () => cri,
  });
}

// Reports the runtime's image file system as the one of the kubelet.
function withImagesIn(mountpoint: string, cri: SimulatedKubeletOptions['cri']): SimulatedKubeletOptions['cri'] {
  const usage = { timestamp: 0n, fsId: { mountpoint }, usedBytes: undefined, inodesUsed: undefined };
  const imageFsInfo: ImageService['imageFsInfo'] = async () => ({
    imageFilesystems: [usage],
    containerFilesystems: [usage],
  });
  return Object.create(cri, { imageFsInfo: { value: imageFsInfo } }) as SimulatedKubeletOptions['cri'];
}

function statsModule(
  summary: StatsProvider['summary'],
  imageFsStats: ImageFsStats['imageFsStats'] | undefined,
  logger: Logger,
): AnyModule {
  const stats: StatsProvider & ImageFsStats = {
    start: async () => undefined,
    stop: async () => undefined,
    healthy: () => ({ ok: true }),
    summary,
    imageFsStats:
      imageFsStats ??
      (async () => {
        const { imageFs, containerFs } = (await summary()).node.runtime ?? {};
        if (imageFs === undefined || containerFs === undefined) throw new Error('imageFs information is unavailable');
        return { imageFs, containerFs };
      }),
  };
  return defineModule({
    name: 'simulated-stats',
    provides: [STATS_PROVIDER, IMAGE_FS_STATS],
    create: () => stats,
    contributes: [
      contribution(METRICS_PAGES, () => [
        { name: 'resource', source: createResourceMetrics({ summary: () => summary(), logger, showHidden: false }) },
      ]),
    ],
  });
}

function transportModule(transport: KubeTransport): AnyModule {
  return defineModule({
    name: 'in-process-transport',
    provides: [KUBE_TRANSPORT],
    create: () => transport,
  });
}

function probersModule(probers: Probers): AnyModule {
  return defineModule({
    name: 'simulated-probers',
    provides: [PROBERS],
    create: () => probers,
  });
}

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function overlay(base: Options, over: Options): Options {
  const entries = Object.entries(over).map(([name, options]) => [name, { ...base[name], ...options }] as const);
  return { ...base, ...Object.fromEntries(entries) };
}
