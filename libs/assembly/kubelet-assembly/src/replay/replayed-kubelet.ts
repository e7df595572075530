import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createToken, decoration, defineModule, type AnyModule, type Assembly } from '@podwright/assembly-interface';
import { CgroupDriver } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import {
  replayedCheckpoints,
  ReplayedWorld,
  replayedHooks,
  replayedImageFsStats,
  replayedProbers,
  replayedRandom,
  replayedRuntime,
  replayedSources,
  replayedSummary,
  replayedTransport,
  replayedWorkQueue,
  type Recording,
  type ReplayedRuntimeFacts,
} from '@podwright/flight-recorder';
import type { RecordedCall, RecordingFacts, RecordingLine } from '@podwright/flight-recorder-interface';
import { JOURNAL_READER, type JournalEntry } from '@podwright/journal-interface';
import type { KubeletConfiguration, PartialKubeletConfiguration } from '@podwright/kubelet-configuration';
import { LIFECYCLE_HOOKS } from '@podwright/lifecycle-hooks-interface';
import type { Logger } from '@podwright/logging';
import { MergedPodConfig, podConfigNeeds } from '@podwright/pod-config';
import { PLEG } from '@podwright/pleg-interface';
import { POD_CONFIG, type PodSourceReader } from '@podwright/pod-config-interface';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import { BOOTSTRAP } from '@podwright/sync-loop-interface';
import { createSeededRandom, parseGoDuration, settleWithKeys, VirtualClock, watchKeysFromNow } from '@podwright/time';
import type { KubeletProgram } from '../kubelet-program.js';
import { assembleSimulatedKubelet } from '../simulation/simulated-kubelet.js';
import { createSimulatedMachine } from '../simulation/simulated-machine.js';
import { replayedAssembly } from './replayed-assembly.js';
import { changedConfiguration, ofThisMachine, replayedGates } from './replayed-configuration.js';

export interface ReplayOptions {
  readonly program: KubeletProgram;
  readonly logger: Logger;
  /** Fields of the configuration that differ from the recorded ones; undefined is the default of the field. */
  readonly configuration?: PartialKubeletConfiguration;
}

/** A kubelet that runs in the world of a recording, on a clock of its own. */
export interface ReplayedKubelet {
  readonly world: ReplayedWorld;
  readonly assembly: Assembly;
  /** What it has decided so far, oldest first. */
  readonly decisions: readonly JournalEntry[];
  /** Runs until this instant of the recording. */
  runTo(atMs: number): Promise<void>;
  /** Advances the clock until the work settles, which may ask the world of the recording. */
  finish<T>(work: Promise<T>): Promise<T>;
  dispose(): Promise<void>;
}

// They would run programs of this machine. A pod that needs one does not get its volume here.
const left = ['iscsi', 'fc', 'flex', 'disk', 'nfs'].map((kind) => `@podwright/volume-${kind}`);

const unlimited = Number.MAX_SAFE_INTEGER;

// A manager waits for no answer longer than that.
const finishMs = 60_000;

/** Assembles the kubelet of a recording and starts it in the recorded world. It touches nothing but a folder of its own. */
export async function startReplayedKubelet(recording: Recording, given: ReplayOptions): Promise<ReplayedKubelet> {
  const { header, lines } = recording;
  const { facts } = header;
  if (facts === undefined) {
    throw new KubeletError('the recording does not say how its kubelet was configured, so it cannot be replayed', {
      code: 'failed-precondition',
    });
  }
  const clock = replayClock(recording);
  const world = new ReplayedWorld(recording, clock);
  const dir = await mkdtemp(path.join(tmpdir(), `kubelet-replay-${process.pid}-`));
  const decisions: JournalEntry[] = [];
  const stopping = new AbortController();
  let loop: Promise<unknown> = Promise.resolve();
  const assembly = await assembleReplayed(dir, clock, world, facts, lines, given).catch(async (error: unknown) => {
    await rm(dir, { recursive: true, force: true });
    throw error;
  });
  assembly.get(JOURNAL_READER).follow((entry) => decisions.push(entry));
  const started = assembly.start().then(async () => {
    const bootstrap = assembly.get(BOOTSTRAP);
    const begin = (): void => {
      bootstrap.birthCry();
      loop = bootstrap.run(stopping.signal);
    };
    if (world.listeningMs === undefined) await relisted(assembly, clock).then(begin);
    else await listening(assembly, world, clock, begin);
    return loop;
  });
  let failure: unknown;
  started.catch((error: unknown) => (failure = error));
  return {
    world,
    assembly,
    decisions,
    runTo: async (atMs) => {
      await clock.advance(Math.max(0, atMs - clock.monotonic()));
      if (failure !== undefined && !stopping.signal.aborted) throw failure;
    },
    finish: async (work) => {
      let settled = false;
      const settle = (): void => void (settled = true);
      work.then(settle, settle);
      await clock.runUntil(() => settled, finishMs);
      return work;
    },
    dispose: async () => {
      stopping.abort();
      let stopped = false;
      const stop = Promise.allSettled([loop]).then(() => assembly.stop());
      void stop.finally(() => (stopped = true));
      await clock.runUntil(() => stopped, 60_000);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

// Keys of pod certificates are made on a thread, for which it waits only when asked, because that slows it down.
function replayClock({ header, lines }: Recording): VirtualClock {
  const makesKeys = lines.some((line) => line.t === 'open' && line.key.includes('/podcertificaterequests'));
  if (makesKeys) watchKeysFromNow();
  return new VirtualClock({ startMs: header.startedAtMs, ...(makesKeys && { settle: settleWithKeys }) });
}

/**
 * Begins the loop when the recorded one began. That one acted only on exits that were found later; a replay may find them
 * some milliseconds earlier, and then the loop begins just before.
 */
function listening(assembly: Assembly, world: ReplayedWorld, clock: VirtualClock, begin: () => void): Promise<void> {
  return new Promise((resolve) => {
    const now = (): void => {
      timer.cancel();
      unfollow();
      begin();
      resolve();
    };
    const timer = clock.setTimer((world.listeningMs ?? 0) - clock.monotonic(), now);
    const unfollow = assembly.get(JOURNAL_READER).follow((entry) => {
      if (world.isHeard(entry)) now();
    });
  });
}

// Else the loop would pause, and the kubelet would be late from the beginning.
async function relisted(assembly: Assembly, clock: VirtualClock): Promise<void> {
  const pleg = assembly.get(PLEG);
  for (const stepMs of [0.001, 1]) {
    for (let step = 0; step < 500 && !pleg.healthy().ok; step++) await clock.sleep(stepMs);
  }
}

async function assembleReplayed(
  dir: string,
  clock: VirtualClock,
  world: ReplayedWorld,
  facts: RecordingFacts,
  lines: readonly RecordingLine[],
  given: ReplayOptions,
): Promise<Assembly> {
  const { nodeName, nodeIps, cores, memoryBytes } = facts.machine as unknown as MachineFacts;
  const address = nodeIps[0];
  const machine = await createSimulatedMachine(dir, { cores, memoryBytes, ...(address !== undefined && { address }) });
  const recorded = facts.configuration as unknown as KubeletConfiguration;
  const { configurationDefaults } = given.program;
  const configuration = changedConfiguration(recorded, given.configuration ?? {}, configurationDefaults);
  const { changes } = replayedAssembly(facts);
  const requestTimeoutMs = parseGoDuration(String(configuration.runtimeRequestTimeout));
  const runtime = replayedRuntime(world, {
    facts: runtimeFactsOf(lines),
    requestTimeoutMs,
    root: path.join(dir, 'machine'),
  });
  return assembleSimulatedKubelet({
    dir,
    cri: withoutSystemd(runtime),
    clock,
    random: replayedRandom(world, createSeededRandom('replay')),
    logger: given.logger,
    nodeName,
    program: given.program,
    argv: replayedFlags(facts),
    changes,
    configuration: {
      ...configuration,
      ...ofThisMachine(dir),
      featureGates: replayedGates(configuration.featureGates, lines, changes),
    },
    modules: [replayedCheckpointsModule(lines), replayedWorldModule(world)],
    source: { module: () => replayedPodConfigModule(replayedSources(world, clock)) },
    probers: replayedProbers(world),
    summary: replayedSummary(world),
    imageFsStats: replayedImageFsStats(world),
    ...(world.usesApi && { transport: replayedTransport(world) }),
    options: {
      // Pods took their places in an order that no recording has; each answer comes at its instant anyway.
      '@podwright/container-runtime': { initialConcurrentStarts: unlimited, maxConcurrentStarts: unlimited },
      // The recording says how full the disk of the images was.
      '@podwright/image-gc': { highThresholdPercent: configuration.imageGCHighThresholdPercent },
      '@podwright/volume-local': { standInRoot: path.join(dir, 'machine') },
      // The running kubelet has its socket in the same place.
      '@podwright/server': { localSocket: '', localAddress: '' },
    },
    without: left,
    machine,
  });
}

interface MachineFacts {
  readonly nodeName: string;
  readonly nodeIps: readonly string[];
  readonly cores: number;
  readonly memoryBytes: number;
}

// The others are in the configuration, or about the recorded machine.
const keptFlags = [
  ...['cloud-provider', 'node-labels', 'seccomp-default'],
  ...['maximum-dead-containers', 'maximum-dead-containers-per-container', 'minimum-container-ttl-duration'],
];

const replayedFlags = ({ flags }: RecordingFacts): readonly string[] =>
  keptFlags.flatMap((name) => (String(flags[name] ?? '') === '' ? [] : [`--${name}=${String(flags[name])}`]));

// Its cgroups are files in a folder, whatever the recorded runtime uses.
const withoutSystemd = <T extends object>(runtime: T): T =>
  new Proxy(runtime, {
    get: (target, name) =>
      name === 'runtimeConfig'
        ? async () => ({ linux: { cgroupDriver: CgroupDriver.CGROUPFS } })
        : (Reflect.get(target, name) as unknown),
  });

function runtimeFactsOf(lines: readonly RecordingLine[]): ReplayedRuntimeFacts {
  const call = lines.find((line): line is RecordedCall => line.t === 'call' && line.method === 'connection');
  return (call?.answer ?? {
    ...{ runtimeName: 'unknown', runtimeVersion: '', runtimeApiVersion: 'v1' },
  }) as ReplayedRuntimeFacts;
}

const REPLAYED_LINES = createToken<readonly RecordingLine[]>('replayed.lines/v1');

const replayedCheckpointsModule = (lines: readonly RecordingLine[]): AnyModule =>
  defineModule({
    name: 'replayed-checkpoints',
    provides: [REPLAYED_LINES],
    create: () => lines,
    decorates: [
      decoration(POD_CHECKPOINTS, (recorded: readonly RecordingLine[], inner) => replayedCheckpoints(inner, recorded)),
    ],
  });

const REPLAYED_WORLD = createToken<ReplayedWorld>('replayed.world/v1');

const replayedWorldModule = (world: ReplayedWorld): AnyModule =>
  defineModule({
    name: 'replayed-world',
    provides: [REPLAYED_WORLD],
    create: () => world,
    decorates: [
      decoration(LIFECYCLE_HOOKS, (recorded: ReplayedWorld, inner) => replayedHooks(recorded, inner)),
      decoration(POD_WORK_QUEUE, (recorded: ReplayedWorld, inner) => replayedWorkQueue(recorded, inner)),
    ],
  });

const replayedPodConfigModule = (sources: readonly PodSourceReader[]): AnyModule =>
  defineModule({
    name: 'replayed-pod-sources',
    provides: [POD_CONFIG],
    needs: podConfigNeeds,
    // What the local API had is among the recorded sources.
    create: ({ localSource: _localSource, ...deps }) => new MergedPodConfig(deps, sources),
  });
