import { assemble, assemblyApiVersion } from '@podwright/assembly';
import {
  CLOCK,
  LOGGER,
  METRICS,
  RANDOM,
  provideValue,
  type AnyModule,
  type Assembly,
} from '@podwright/assembly-interface';
import { CGROUP_DRIVER_MISMATCH } from '@podwright/cgroup-interface';
import type { KubeTransport } from '@podwright/kube-client-interface';
import type { ImageFsStats, StatsProvider } from '@podwright/stats-interface';
import { RECORDING_FACTS } from '@podwright/flight-recorder-interface';
import { defaultKubeletConfiguration, FeatureGates, parseKubeletFlags } from '@podwright/kubelet-configuration';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import type { Logger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { HOST_NETWORK } from '@podwright/node-status';
import type { Probers } from '@podwright/probe-interface';
import { KUBELET_PROCESS } from '@podwright/server-interface';
import type { Clock, Random } from '@podwright/time';
import type { MountTools } from '@podwright/filesystem';
import { MOUNT_TOOLS } from '@podwright/volume-interface';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withPlegOf, withChosenPleg } from '../chosen-pleg.js';
import { registerComponentMetrics } from '../component-metrics.js';
import { createKubeletProcess } from '../kubelet-process.js';
import type { KubeletProgram } from '../kubelet-program.js';
import { assemblyFor } from '../kubelet-setup.js';
import { knownModules } from '../modules.js';
import { recordingFacts } from '../recording-facts.js';
import type { MemoryPodSource } from './memory-pod-source.js';
import { createSimulatedMachine, type SimulatedMachine } from './simulated-machine.js';
import {
  inProcessRuntimeModule,
  noMounts,
  probersModule,
  simulatedNetwork,
  statsModule,
  transportModule,
  userNamespacesModule,
  withImagesIn,
  type SimulatedRuntimeServices,
} from './simulated-modules.js';

export interface SimulatedKubeletOptions {
  /** Parent of the root and log folders; a second kubelet in the same folder finds the state of the first. */
  readonly dir: string;
  readonly cri: SimulatedRuntimeServices;
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
  /** Is given what each module makes, for who looks into a kubelet's memory. */
  readonly onMade?: (module: string, made: unknown) => void;
  /** What is mounted on the machine. Default: nothing is, and mounting does nothing. */
  readonly mounts?: MountTools;
  /** The machine that it sees; many kubelets may see one. Default: one of two cores and 8 GiB, in `dir`. */
  readonly machine?: SimulatedMachine;
}

const kubelet: KubeletProgram = { program: 'kubelet', parts: [] };

// Left out, unless they are among the given modules: their gRPC servers and watches would use the real disk and real time.
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
  const configured = FeatureGates.defaults().withMap(configuration.featureGates);
  const changed = withPlegOf(configured, (given.changes ?? []).map(changedModule));
  const gates = await withChosenPleg(changed, program.parts, given.assemblyFile);
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
  const own = new Set((given.modules ?? []).map(({ name }) => name));
  const left = new Set([...socketModules.filter((name) => !own.has(name)), ...(given.without ?? [])]);
  const options = Object.fromEntries(
    Object.entries(config).filter(([name]) => replacements[name] === undefined && !left.has(name)),
  );
  const settings = { configuration, commandLine: configuration, ...parsed };
  const kubeletProcess = createKubeletProcess(settings, program, { clock, logger: rootLogger });
  const containerLogsDir = path.join(dir, 'container-logs');
  const assembled = [
    ...modules
      .filter(({ name }) => !left.has(name) && !own.has(name))
      .map((module) => replacements[module.name] ?? module),
    ...(given.modules ?? []),
  ].map((module) => (given.onMade === undefined ? module : watched(module, given.onMade)));
  const assemblyFile = given.changes ? await writeChanges(dir, given.changes, assembled) : given.assemblyFile;
  return assemble({
    modules: assembled,
    known: knownModules,
    assemblyFile,
    config: overlay(
      overlay(options, {
        '@podwright/cgroup': {
          ...{ mountInfoFile, hostRoot, kernelTunables: 'warn', oomScoreAdj: undefined },
          hugePagesDir: path.join(hostRoot, 'sys/kernel/mm/hugepages'),
        },
        ...(given.machine && given.transport && { '@podwright/node-status#reporter': { hostRoot } }),
        [given.transport ? '@podwright/node-status#api' : '@podwright/node-status']: { hostRoot },
        '@podwright/volume-api-data': { hasApiServer: given.transport !== undefined },
        '@podwright/pod-sync': { hasApiServer: given.transport !== undefined },
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
      provideValue(MOUNT_TOOLS, given.mounts ?? noMounts),
      provideValue(HOST_NETWORK, simulatedNetwork(address)),
      provideValue(KUBELET_PROCESS, kubeletProcess),
      provideValue(RECORDING_FACTS, () => recordingFacts(program, kubeletProcess, ownFlags, facts)),
    ],
    logger,
    clock,
    stopTimeoutMs,
  });
}

/** The module that an entry of an assembly file changes; undefined for an entry that adds one. */
export const changedModule = (entry: Readonly<Record<string, unknown>>): unknown =>
  entry['name'] ?? entry['omit'] ?? entry['replace'];

async function writeChanges(
  dir: string,
  changes: NonNullable<SimulatedKubeletOptions['changes']>,
  modules: readonly AnyModule[],
): Promise<string> {
  // An option may be for a module that another entry puts in.
  const names = new Set<unknown>([...modules.map(({ name }) => name), ...changes.map((entry) => entry['with'])]);
  const file = path.join(dir, 'assembly.json');
  const own = changes.filter((entry) => names.has(changedModule(entry)));
  await writeFile(file, JSON.stringify({ apiVersion: assemblyApiVersion, kind: 'Assembly', modules: own }));
  return file;
}

// The test chooses the log level, so the kubelet must not change it.
const rootLogger = { setVerbosity: () => undefined, flush: async () => undefined };

function watched(module: AnyModule, onMade: (module: string, made: unknown) => void): AnyModule {
  const create: AnyModule['create'] = (...args) => {
    const made: unknown = module.create(...args);
    onMade(module.name, made);
    return made;
  };
  return { ...module, create };
}

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function overlay(base: Options, over: Options): Options {
  const entries = Object.entries(over).map(([name, options]) => [name, { ...base[name], ...options }] as const);
  return { ...base, ...Object.fromEntries(entries) };
}
