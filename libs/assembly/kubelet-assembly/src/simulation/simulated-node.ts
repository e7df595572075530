import type { Assembly, Token } from '@podwright/assembly-interface';
import { RECENT_EVENTS, type RecordedEvent } from '@podwright/events-interface';
import { flightRecorderModule } from '@podwright/flight-recorder';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import { podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import { PLEG } from '@podwright/pleg-interface';
import {
  createSimulatedRuntime,
  type SimulatedRuntime,
  type SimulatedRuntimeOptions,
} from '@podwright/simulated-runtime';
import { STATUS_MANAGER } from '@podwright/status-interface';
import type { TestCluster } from '@podwright/test-cluster';
import { BOOTSTRAP, type Bootstrap, type RunOnceResult } from '@podwright/sync-loop-interface';
import { createSeededRandom, VirtualClock, type Random } from '@podwright/time';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { MemoryPodSource } from './memory-pod-source.js';
import { KeptRecording } from './kept-recording.js';
import { KillableClock } from './killable-clock.js';
import { connectToApi, type ApiSession } from './killable-transport.js';
import { connectTo, type RuntimeSession } from './runtime-session.js';
import { simulationsFolder } from './simulations-folder.js';
import { assembleSimulatedKubelet, type SimulatedKubeletOptions } from './simulated-kubelet.js';

export interface SimulatedNodeOptions {
  /** Seed of everything random. Default 1. */
  readonly seed?: number | string;
  /** Removes random delays, so that times are exact. Default false. */
  readonly jitterless?: boolean;
  readonly runtime?: Partial<SimulatedRuntimeOptions>;
  readonly source?: MemoryPodSource;
  /** Default: that of the cluster, or a new one. */
  readonly clock?: VirtualClock;
  /** A cluster for the kubelet to join; the node then uses the cluster's clock. */
  readonly cluster?: TestCluster;
  readonly configuration?: SimulatedKubeletOptions['configuration'];
  readonly options?: SimulatedKubeletOptions['options'];
  readonly modules?: SimulatedKubeletOptions['modules'];
  readonly probers?: SimulatedKubeletOptions['probers'];
  readonly summary?: SimulatedKubeletOptions['summary'];
  readonly machine?: SimulatedKubeletOptions['machine'];
  readonly mounts?: SimulatedKubeletOptions['mounts'];
  /** Whether {@link SimulatedNode.memory} is known. Default false. */
  readonly openMemory?: boolean;
  /** Whether a failed case keeps what the kubelet was told, to replay it. Default true. */
  readonly recorded?: boolean;
  /** Waits for as long as a request to the API server, its answer or an event of a watch is under way. Default: not at all. */
  readonly travel?: () => Promise<void> | undefined;
}

const nodeName = 'node';
const nodeUser = { name: `system:node:${nodeName}`, groups: ['system:nodes'] };

/** An accepted status and its time. */
export interface StatusRecord {
  readonly atMs: number;
  readonly podUid: string;
  readonly status: PodStatus;
}

/** What a kubelet has of its machine, from before its start on. */
interface KubeletSeams {
  readonly clock: KillableClock;
  readonly session: RuntimeSession;
  readonly api: ApiSession | undefined;
}

interface RunningKubelet extends KubeletSeams {
  readonly assembly: Assembly;
  readonly stopping: AbortController;
  readonly loop: Promise<void>;
}

/**
 * A machine in memory: a runtime, a folder, a list of desired pods, a clock that only moves when told to, and at most
 * one kubelet, which can be started, stopped and killed like a process.
 */
export class SimulatedNode {
  readonly clock: VirtualClock;
  readonly runtime: SimulatedRuntime;
  readonly source: MemoryPodSource;
  readonly logger: MemoryLogger = createMemoryLogger(3);
  readonly random: Random;
  readonly statuses: StatusRecord[] = [];
  private kubelet: RunningKubelet | undefined;
  private process: KubeletSeams | undefined;
  private newestClock: KillableClock | undefined;
  /** What each module of the newest kubelet has made, if the options ask for it. */
  memory: ReadonlyMap<string, unknown> = new Map();
  /** Of the newest kubelet, unless the case records itself. */
  recording: KeptRecording | undefined;

  private constructor(
    readonly dir: string,
    private readonly options: SimulatedNodeOptions,
  ) {
    const { seed = 1, jitterless = false } = options;
    this.clock = options.clock ?? options.cluster?.clock ?? new VirtualClock();
    const random = createSeededRandom(`node ${seed}`);
    this.random = jitterless ? { next: () => 0, hex: (bytes) => random.hex(bytes) } : random;
    this.runtime = createSimulatedRuntime({
      clock: this.clock,
      random: createSeededRandom(`runtime ${seed}`),
      ...options.runtime,
    });
    this.source = options.source ?? new MemoryPodSource('file', []);
  }

  /** A machine without a kubelet. */
  static async create(options: SimulatedNodeOptions = {}): Promise<SimulatedNode> {
    return new SimulatedNode(await mkdtemp(path.join(simulationsFolder, 'podwright-node-')), options);
  }

  /** Starts a kubelet on the current state of the machine. Rejects when its start fails. */
  async boot(configuration: Partial<KubeletConfiguration> = {}, source = this.source): Promise<void> {
    await this.run(configuration, source, (work) => this.finish(work));
  }

  /** {@link boot} for who advances the clock itself. Never settles when the kubelet dies before it has started. */
  bootMeanwhile(configuration: Partial<KubeletConfiguration> = {}): Promise<void> {
    return this.run(configuration, this.source, (work) => work);
  }

  private async run(
    configuration: Partial<KubeletConfiguration>,
    source: MemoryPodSource,
    wait: (work: Promise<void>) => Promise<void>,
  ): Promise<void> {
    await this.assemble(configuration, source, wait);
    const { assembly, stopping } = this.running();
    const bootstrap = assembly.get(BOOTSTRAP);
    bootstrap.birthCry();
    const loop = bootstrap.run(stopping.signal);
    loop.catch((error: unknown) => this.logger.error('the sync loop ended', { error }));
    this.kubelet = { ...this.running(), loop };
  }

  /** Runs a kubelet that starts the pods, waits for them and stops. */
  async runOnce(timeoutMs: number): Promise<readonly RunOnceResult[]> {
    await this.assemble({}, this.source, (work) => this.finish(work));
    const results = await this.finish(this.bootstrap.runOnce({ timeoutMs }));
    await this.stop();
    return results;
  }

  private async assemble(
    configuration: Partial<KubeletConfiguration>,
    source: MemoryPodSource,
    wait: (work: Promise<void>) => Promise<void>,
  ): Promise<void> {
    if (this.kubelet !== undefined) throw new Error('a kubelet is running on this node already');
    const clock = new KillableClock(this.clock);
    const session = connectTo(this.runtime);
    const { cluster } = this.options;
    const api = cluster && connectToApi(cluster.server.transport(nodeUser), this.options.travel);
    this.process = { clock, session, api };
    this.newestClock = clock;
    const modules = this.options.modules ?? [];
    this.forgetRecording();
    const { recorded = true } = this.options;
    this.recording = recorded && !modules.includes(flightRecorderModule) ? new KeptRecording(nodeName) : undefined;
    const memory = new Map<string, unknown>();
    this.memory = memory;
    const assembly = await assembleSimulatedKubelet({
      dir: this.dir,
      cri: session.cri,
      clock,
      random: this.random,
      logger: this.logger,
      nodeName,
      ...(api && { transport: api.transport }),
      configuration: { ...this.options.configuration, ...configuration },
      options: { ...this.options.options },
      modules: [...(this.recording ? [this.recording.module()] : []), ...modules],
      // in a cluster, pods come from the API server and static pods from files
      ...(cluster === undefined && { source }),
      ...(this.options.probers && { probers: this.options.probers }),
      ...(this.options.summary && { summary: this.options.summary }),
      ...(this.options.machine && { machine: this.options.machine }),
      ...(this.options.mounts && { mounts: this.options.mounts }),
      ...(this.options.openMemory === true && { onMade: (module, made) => void memory.set(module, made) }),
    });
    assembly.get(STATUS_MANAGER).watch((uid, status) => {
      if (this.kubelet?.assembly === assembly) this.statuses.push({ atMs: this.clock.now(), podUid: uid, status });
    });
    const stopping = new AbortController();
    await wait(assembly.start());
    this.kubelet = { assembly, clock, session, api, stopping, loop: Promise.resolve() };
  }

  /** Like SIGTERM: resolves with the duration of the stop in milliseconds of the clock. */
  async stop(): Promise<number> {
    const startedAt = this.clock.monotonic();
    await this.finish(this.stopMeanwhile());
    return this.clock.monotonic() - startedAt;
  }

  /** {@link stop} for who advances the clock itself. Never settles when the kubelet dies before it has stopped. */
  async stopMeanwhile(): Promise<void> {
    const { assembly, stopping, loop } = this.running();
    stopping.abort();
    await loop;
    await assembly.stop();
    // What still hangs in the runtime ends there, and nobody hears of it.
    this.exit(() => false);
  }

  /** Whether a kubelet has started and neither stopped nor died. */
  get isUp(): boolean {
    return this.kubelet !== undefined;
  }

  /** Timers and sleeps of the newest kubelet that are not due yet. */
  get kubeletTimers(): number {
    return this.newestClock?.pendingTimers ?? 0;
  }

  /** Like SIGKILL: nothing of the kubelet runs any more; calls in flight in the runtime may or may not complete. */
  async kill(): Promise<void> {
    this.running();
    this.die();
    await this.clock.advance(0);
  }

  /** {@link kill}, for use while the clock is being advanced, and during the start of a kubelet. */
  die(): void {
    this.source.abandon();
    this.exit(() => this.random.next() < 0.5);
  }

  private exit(givesUp: () => boolean): void {
    const { process } = this;
    process?.clock.die();
    process?.api?.die();
    process?.session.die(givesUp);
    this.process = undefined;
    this.kubelet = undefined;
  }

  /** Stops the kubelet if there is one, and removes the folder. */
  async dispose(): Promise<void> {
    this.runtime.faults.clear();
    if (this.kubelet !== undefined) await this.stop();
    this.forgetRecording();
    await rm(this.dir, { recursive: true, force: true });
  }

  /** Sets the full list of desired pods. */
  want(...pods: readonly Pod[]): void {
    this.source.set(pods);
  }

  /** Advances the clock until `condition` holds; resolves with the elapsed milliseconds. */
  until(condition: () => boolean, limitMs = 60_000): Promise<number> {
    return this.clock.runUntil(condition, limitMs);
  }

  /** Advances the clock until `work` settles. */
  async finish<T>(work: Promise<T>, limitMs = 120_000): Promise<T> {
    let done = false;
    const end = (): void => void (done = true);
    work.then(end, end);
    await this.clock.runUntil(() => done, limitMs);
    return work;
  }

  status(pod: Pod): PodStatus | undefined {
    return this.running().assembly.get(STATUS_MANAGER).getPodStatus(podUid(pod));
  }

  isReady(pod: Pod): boolean {
    return this.status(pod)?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  }

  /** True when the runtime runs no container and no sandbox of the pod. */
  isStopped(pod: Pod): boolean {
    const uid = podUid(pod);
    return (
      !this.runtime.control.containers(uid).some(({ running }) => running) &&
      !this.runtime.control.sandboxes.some((sandbox) => sandbox.podUid === uid && sandbox.ready)
    );
  }

  /** Events of one pod or of all, oldest first. */
  events(pod?: Pod): readonly RecordedEvent[] {
    const all = this.running().assembly.get(RECENT_EVENTS).recent();
    return pod === undefined ? all : all.filter((event) => event.podUid === podUid(pod));
  }

  reasons(pod?: Pod): readonly string[] {
    return this.events(pod).map(({ reason }) => reason);
  }

  get bootstrap(): Bootstrap {
    return this.part(BOOTSTRAP);
  }

  /** A role of the running kubelet that otherwise only its other modules use. */
  part<T>(token: Token<T>): T {
    return this.running().assembly.get(token);
  }

  /** Health faults of the pleg and the sync loop; empty when both are healthy. */
  complaints(): readonly string[] {
    const { assembly } = this.running();
    const healths = [assembly.get(PLEG).healthy(), assembly.get(BOOTSTRAP).healthy()];
    return healths.flatMap((health) => (health.ok ? [] : [health.reason]));
  }

  private forgetRecording(): void {
    if (this.recording !== undefined) this.recording.ended = true;
  }

  private running(): RunningKubelet {
    if (this.kubelet === undefined) throw new Error('no kubelet is running on this node');
    return this.kubelet;
  }
}
