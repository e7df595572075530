import { assemble } from '@podwright/assembly';
import {
  CLOCK,
  LOGGER,
  METRICS,
  RANDOM,
  defineModule,
  provideValue,
  type AnyModule,
  type Assembly,
} from '@podwright/assembly-interface';
import { CGROUP_DRIVER_MISMATCH } from '@podwright/cgroup-interface';
import { KUBE_TRANSPORT, type KubeTransport } from '@podwright/kube-client-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import type { MountTools } from '@podwright/filesystem';
import { IMAGE_FS_STATS, STATS_PROVIDER, type ImageFsStats, type StatsProvider } from '@podwright/stats-interface';
import { IMAGE_SERVICE, RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { ImageService, RuntimeConnection, RuntimeService } from '@podwright/cri-client-interface';
import { defaultKubeletConfiguration, FeatureGates, parseKubeletFlags } from '@podwright/kubelet-configuration';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import type { Logger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { HOST_NETWORK, type HostNetwork } from '@podwright/node-status';
import { PROBERS, type Probers } from '@podwright/probe-interface';
import { KUBELET_PROCESS } from '@podwright/server-interface';
import type { Clock, Random } from '@podwright/time';
import { createFileUserNamespaces } from '@podwright/user-namespace';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { registerComponentMetrics } from '../component-metrics.js';
import { createKubeletProcess } from '../kubelet-process.js';
import { partsFor } from '../kubelet-setup.js';
import { knownModules } from '../modules.js';
import { volumePluginsModuleWith } from '../volume-plugins.module.js';
import type { MemoryPodSource } from './memory-pod-source.js';

export interface SimulatedKubeletOptions {
  /** Root and log folders are made in it; a second kubelet in the same folder finds what the first one left. */
  readonly dir: string;
  readonly cri: RuntimeService & ImageService & RuntimeConnection;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly nodeName: string;
  /** Fields other than the defaults. */
  readonly configuration?: Partial<KubeletConfiguration>;
  /** Options by module name, laid over those that follow from the configuration. */
  readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Changes of the modules, as `--assembly` takes them; a module that the simulation has in another one's place has its own name. */
  readonly assemblyFile?: string;
  /** An API server: the kubelet is put together as with `--kubeconfig`. */
  readonly transport?: KubeTransport;
  /** Pods in memory, beside those of `staticPodPath`. Without it the pod configuration is the shipped one. */
  readonly source?: MemoryPodSource;
  /** Answers for containers, which have no sockets here. Without them the shipped ones are used: good for exec alone. */
  readonly probers?: Probers;
  /** What is used of the node, in place of this machine's own numbers; with them local storage is limited and disks are looked at. */
  readonly summary?: StatsProvider['summary'];
  /** Longest wait for the stop of one manager, milliseconds. Default 1500. */
  readonly stopTimeoutMs?: number;
}

// Their gRPC servers and watches would live on the real disk and keep real time.
const socketModules = [
  '@podwright/pod-resources',
  '@podwright/plugin-watcher',
  '@podwright/device-manager',
  '@podwright/oom-watcher', // reads the kernel's messages of this machine
];

/**
 * The kubelet as it ships, put together on a runtime in this process: no socket, no cgroup, no port, and no file outside
 * `dir`. Constructed, not started.
 */
export async function assembleSimulatedKubelet(given: SimulatedKubeletOptions): Promise<Assembly> {
  const { dir, cri, clock, random, logger, nodeName, stopTimeoutMs = 1_500 } = given;
  const mountInfoFile = path.join(dir, 'mountinfo');
  await mkdir(dir, { recursive: true });
  await writeFile(mountInfoFile, '');
  const hostRoot = await simulatedMachine(dir);
  const configuration: KubeletConfiguration = {
    ...defaultKubeletConfiguration({}),
    podLogsDir: path.join(dir, 'pod-logs'),
    clusterDNS: ['10.96.0.10'],
    enableServer: false,
    readOnlyPort: 0,
    healthzPort: 0,
    ...given.configuration,
  };
  const gates = FeatureGates.defaults().withMap(configuration.featureGates);
  const metrics = createMetricsRegistry();
  registerComponentMetrics(metrics, gates);
  const { flags } = parseKubeletFlags([
    '--root-dir',
    path.join(dir, 'root'),
    '--cert-dir',
    path.join(dir, 'root/pki'),
    ...(given.transport === undefined ? [] : ['--kubeconfig', path.join(dir, 'kubeconfig')]),
  ]);
  const nodeIps = ['192.0.2.1'];
  const ips = { nodeIps, givenNodeIps: [], invalidNodeIps: [] };
  const swap = { swapBytes: 0, swapControllerAvailable: true };
  const facts = { nodeName, ...ips, ...swap, memoryBytes: 8 * 2 ** 30, cores: 2, cgroupVersion: 2 } as const;
  const replacements: Readonly<Record<string, AnyModule>> = {
    '@podwright/cri-client': inProcessRuntimeModule(given.summary === undefined ? cri : withImagesIn(hostRoot, cri)),
    ...(given.summary && { '@podwright/stats': statsModule(given.summary) }),
    'volume-plugins': volumePluginsModuleWith(noMounts),
    '@podwright/user-namespace': userNamespacesModule(flags.rootDir),
    ...(given.probers && { '@podwright/probe#probers': probersModule(given.probers) }),
    ...(given.transport && { '@podwright/kube-client#transport': transportModule(given.transport) }),
    ...(given.source && { '@podwright/pod-config': given.source.module(nodeName, configuration.staticPodPath) }),
  };
  const { modules, config } = partsFor(configuration, flags, facts, gates);
  const options = Object.fromEntries(
    Object.entries(config).filter(([name]) => replacements[name] === undefined && !socketModules.includes(name)),
  );
  const containerLogsDir = path.join(dir, 'container-logs');
  return assemble({
    modules: modules
      .filter(({ name }) => !socketModules.includes(name))
      .map((module) => replacements[module.name] ?? module),
    known: knownModules,
    ...(given.assemblyFile !== undefined && { assemblyFile: given.assemblyFile }),
    config: overlay(
      overlay(options, {
        '@podwright/cgroup': { mountInfoFile, hostRoot, kernelTunables: 'warn', oomScoreAdj: undefined },
        [given.transport ? '@podwright/node-status#api' : '@podwright/node-status']: { hostRoot },
        'volume-plugins': { hasApiServer: given.transport !== undefined },
        '@podwright/admission': { hostRoot, kernelRelease: '6.1.0' },
        '@podwright/container-runtime': { containerLogsDir },
        '@podwright/container-gc': { containerLogsDir },
        // This machine's disks are none of the simulation's.
        ...(given.summary === undefined && { '@podwright/eviction': { localStorageCapacityIsolation: false } }),
        // Containers here write no logs of their own.
        '@podwright/log-rotation': { maxSizeBytes: -1 },
        // The disk that images lie on is not part of the simulation.
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
      provideValue(HOST_NETWORK, simulatedNetwork),
      provideValue(KUBELET_PROCESS, createKubeletProcess(configuration, flags, { clock, logger: rootLogger })),
    ],
    logger,
    clock,
    stopTimeoutMs,
  });
}

// The shipped module asks programs of the host for subordinate ids, and a standing clock does not wait for a child process.
function userNamespacesModule(rootDir: string): AnyModule {
  return defineModule({
    name: 'simulated-user-namespaces',
    provides: [USER_NAMESPACES],
    requires: [RUNTIME_STATE, LOGGER],
    register: (container) =>
      container.register(USER_NAMESPACES, {
        useFactory: (resolver) =>
          createFileUserNamespaces(
            {
              runtimeState: resolver.resolve(RUNTIME_STATE),
              logger: resolver.resolve(LOGGER),
              run: async () => ({ exitCode: 'ENOENT', stdout: '' }),
            },
            { rootDir },
          ),
      }),
  });
}

/** One interface with the address that the facts above say; names are not resolved. */
const simulatedNetwork: HostNetwork = {
  addresses: () => [{ interfaceName: 'eth0', address: '192.0.2.1', internal: false }],
  defaultRoutes: async () => [{ interfaceName: 'eth0', family: 4 }],
  lookup: () => Promise.reject(new Error('no resolver')),
};

// Its verbosity is not for others to change.
const rootLogger = { setVerbosity: () => undefined, flush: async () => undefined };

/** Two cores, 8 GiB of memory, without AppArmor: what the facts above say. */
async function simulatedMachine(dir: string): Promise<string> {
  const hostRoot = path.join(dir, 'host');
  const cpus = path.join(hostRoot, 'sys/devices/system/cpu');
  await mkdir(path.join(hostRoot, 'proc'), { recursive: true });
  await mkdir(cpus, { recursive: true });
  await writeFile(path.join(hostRoot, 'proc/meminfo'), `MemTotal: ${8 * 2 ** 20} kB\n`);
  await writeFile(path.join(cpus, 'online'), '0-1\n');
  return hostRoot;
}

/** Memory volumes are plain directories here: to mount takes root, and a machine of one's own. */
const noMounts: MountTools = { mount: async () => undefined, unmount: async () => undefined };

function inProcessRuntimeModule(cri: SimulatedKubeletOptions['cri']): AnyModule {
  return defineModule({
    name: 'in-process-runtime',
    provides: [RUNTIME_CONNECTION, RUNTIME_SERVICE, IMAGE_SERVICE],
    requires: [],
    register: (container) => {
      container.register(RUNTIME_CONNECTION, { useValue: cri });
      container.register(RUNTIME_SERVICE, { useValue: cri });
      container.register(IMAGE_SERVICE, { useValue: cri });
    },
  });
}

// The file system of the runtime's images is that of the kubelet.
function withImagesIn(mountpoint: string, cri: SimulatedKubeletOptions['cri']): SimulatedKubeletOptions['cri'] {
  const usage = { timestamp: 0n, fsId: { mountpoint }, usedBytes: undefined, inodesUsed: undefined };
  const imageFsInfo: ImageService['imageFsInfo'] = async () => ({
    imageFilesystems: [usage],
    containerFilesystems: [usage],
  });
  return Object.create(cri, { imageFsInfo: { value: imageFsInfo } }) as SimulatedKubeletOptions['cri'];
}

function statsModule(summary: StatsProvider['summary']): AnyModule {
  const stats: StatsProvider & ImageFsStats = {
    start: async () => undefined,
    stop: async () => undefined,
    healthy: () => ({ ok: true }),
    summary,
    imageFsStats: async () => {
      const { imageFs, containerFs } = (await summary()).node.runtime ?? {};
      if (imageFs === undefined || containerFs === undefined) throw new Error('imageFs information is unavailable');
      return { imageFs, containerFs };
    },
  };
  return defineModule({
    name: 'simulated-stats',
    provides: [STATS_PROVIDER, IMAGE_FS_STATS],
    requires: [],
    register: (container) => {
      container.register(STATS_PROVIDER, { useValue: stats });
      container.register(IMAGE_FS_STATS, { useValue: stats });
    },
  });
}

function transportModule(transport: KubeTransport): AnyModule {
  return defineModule({
    name: 'in-process-transport',
    provides: [KUBE_TRANSPORT],
    requires: [],
    register: (container) => container.register(KUBE_TRANSPORT, { useValue: transport }),
  });
}

function probersModule(probers: Probers): AnyModule {
  return defineModule({
    name: 'simulated-probers',
    provides: [PROBERS],
    requires: [],
    register: (container) => container.register(PROBERS, { useValue: probers }),
  });
}

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function overlay(base: Options, over: Options): Options {
  const entries = Object.entries(over).map(([name, options]) => [name, { ...base[name], ...options }] as const);
  return { ...base, ...Object.fromEntries(entries) };
}
