import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Node, Pod } from '@podwright/kube-types';
import type { SimulatedRuntime } from '@podwright/simulated-runtime';
import type { TestApiServer } from '@podwright/test-apiserver';
import { VirtualClock, yieldToEventLoop } from '@podwright/time';
import { SimulatedCluster } from '../simulated-cluster.js';
import type { SimulatedNode } from '../simulated-node.js';
import { simulationsFolder } from '../simulations-folder.js';
import { createSimulatedMachine, type SimulatedMachine } from '../simulated-machine.js';
import { ContainerPromises } from './container-promises.js';
import { deviceManagerModule } from '@podwright/device-manager';
import type { DeviceResource } from './device-objects.js';
import { DevicePromises } from './device-promises.js';
import { drawFor } from './draw.js';
import { HangPromise } from './hang-promise.js';
import { tellEnding, type EndingScene } from './ending.js';
import { MachineCgroups } from './machine-cgroups.js';
import { MachineDisk } from './machine-disk.js';
import { MachineMounts } from './machine-mounts.js';
import { PacePromise } from './pace-promise.js';
import { programOf } from './programs.js';
import { BackOffPromise } from './back-off-promise.js';
import { BrokenPromise } from './broken-promise.js';
import { isReady, runtimeUid } from './promises.js';
import { StatusPromises } from './status-promises.js';
import { StoryApi } from './story-api.js';
import { performAct, type Stage } from './perform-act.js';
import { StoryCsiDriver } from './story-csi-driver.js';
import { StoryDevicePlugins } from './story-device-plugins.js';
import { StoryDraDriver } from './story-dra-driver.js';
import { StoryKubelet } from './story-kubelet.js';
import { StoryPluginWatcher } from './story-plugin-watcher.js';
import { StoryManifests } from './story-manifests.js';
import { hashOf } from './story-hash.js';
import { tellStatus, tellStep } from './tell-story.js';
import type { Story, StoryFailure } from './story.js';

export interface StoryResult {
  /** Undefined when every promise was kept. */
  readonly failure: StoryFailure | undefined;
  /** Of all calls, requests and answers: equal when the story is told again. */
  readonly hash: string;
  /** What happened, with the milliseconds since the start. */
  readonly trace: readonly string[];
}

const settle = async (): Promise<void> => {
  // Files are done at once here, so there is nothing else to wait for.
  for (let turn = 0; turn < 3; turn++) await yieldToEventLoop();
};

/** Tells a story from its beginning to its end, or to the first promise that is broken. */
export async function runStory(story: Story): Promise<StoryResult> {
  const { seed, shuffled, apiLatencyMs, diskLatencyMs } = story;
  const order = drawFor(seed, 'order');
  const clock = new VirtualClock({ settle, ...(shuffled && { rank: () => order.between(0, 1_000) }) });
  /** Waits of up to `longestMs`, as they are drawn. */
  const waits = (concern: string, longestMs: number): (() => Promise<void> | undefined) => {
    const draw = drawFor(seed, concern);
    return () => {
      const ms = longestMs === 0 ? 0 : draw.between(0, longestMs);
      return ms === 0 ? undefined : clock.sleep(ms);
    };
  };
  const mounts = new MachineMounts();
  const disk = new MachineDisk(() => run?.dir ?? simulationsFolder, mounts, waits('disk waits', diskLatencyMs));
  let run: StoryRun | undefined;
  let machineDir: string | undefined;
  try {
    machineDir = mkdtempSync(path.join(simulationsFolder, 'podwright-machine-'));
    const machine = await createSimulatedMachine(machineDir);
    const cgroups = new MachineCgroups(machine, () => run);
    const watcher = new StoryPluginWatcher();
    const csi = new StoryCsiDriver(clock, mounts, watcher);
    const dra = new StoryDraDriver(clock, watcher);
    const devices = new StoryDevicePlugins(clock);
    if (story.csi === true) csi.arrive();
    if (story.dra === true) dra.arrive();
    const cluster = await SimulatedCluster.create({
      seed,
      recorded: false,
      openMemory: story.epilogue === 'drain',
      mounts,
      modules: [
        cgroups.module,
        ...(story.csi === true || story.dra === true ? [watcher.module] : []),
        ...(story.csi === true ? [csi.module] : []),
        ...(story.dra === true ? [dra.module] : []),
        ...(story.devices === true ? [deviceManagerModule, devices.module] : []),
      ],
      machine,
      travel: waits('travel', apiLatencyMs),
      cluster: { clock, auditLength: 1_000_000 },
      configuration: story.configuration,
      runtime: { containersInSandboxStatus: story.configuration.featureGates?.['EventedPLEG'] === true },
    });
    run = new StoryRun(story, { cluster, machine, mounts, cgroups, csi, dra, devices }, clock, disk);
    return await run.tell();
  } finally {
    disk.dispose();
    for (const dir of [run?.dir, machineDir]) if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
  }
}

interface Surroundings {
  readonly cluster: SimulatedCluster;
  readonly machine: SimulatedMachine;
  readonly mounts: MachineMounts;
  readonly cgroups: MachineCgroups;
  readonly csi: StoryCsiDriver;
  readonly dra: StoryDraDriver;
  readonly devices: StoryDevicePlugins;
}

class StoryRun implements Stage, EndingScene {
  readonly runtime: SimulatedRuntime;
  readonly server: TestApiServer;
  readonly api: StoryApi;
  readonly dir: string;
  readonly podsDir: string;
  readonly manifests: StoryManifests;
  readonly kubelet: StoryKubelet;
  readonly undo = new Set<() => void>();
  readonly endedByOthers = new Set<string>();
  readonly mounts: MachineMounts;
  readonly cgroups: MachineCgroups;
  readonly csi: StoryCsiDriver;
  readonly dra: StoryDraDriver;
  readonly devices: StoryDevicePlugins;
  readonly node: SimulatedNode;
  private readonly cluster: SimulatedCluster;
  private readonly machine: SimulatedMachine;
  private readonly trace: string[] = [];
  private readonly containers: ContainerPromises;
  readonly statuses: StatusPromises;
  private readonly hangs: HangPromise;
  private readonly backOffs: BackOffPromise;
  private readonly pace = new PacePromise(this);
  private readonly devicePromises: DevicePromises | undefined;
  private trouble: unknown;
  private boots = 0;

  constructor(
    private readonly story: Story,
    { cluster, machine, mounts, cgroups, csi, dra, devices }: Surroundings,
    readonly clock: VirtualClock,
    readonly disk: MachineDisk,
  ) {
    this.cluster = cluster;
    this.machine = machine;
    this.mounts = mounts;
    this.cgroups = cgroups;
    this.csi = csi;
    this.dra = dra;
    this.devices = devices;
    this.node = cluster.node;
    this.newBootId();
    this.runtime = cluster.node.runtime;
    this.server = cluster.cluster.server;
    this.api = new StoryApi(this.server.transport());
    this.dir = cluster.node.dir;
    this.podsDir = path.join(this.dir, 'root/pods');
    this.manifests = new StoryManifests(path.join(this.dir, 'manifests'));
    const staticPodPath = this.manifests.dir;
    const { note, fail } = this;
    this.kubelet = new StoryKubelet({ node: cluster.node, clock, disk, staticPodPath, note, fail });
    this.containers = new ContainerPromises(this);
    this.hangs = new HangPromise(story, this);
    this.backOffs = new BackOffPromise(story, this, this.containers);
    this.statuses = new StatusPromises(this, this.containers);
    if (story.devices === true) this.devicePromises = new DevicePromises(this);
  }

  async tell(): Promise<StoryResult> {
    process.on('unhandledRejection', this.fail);
    let failure: StoryFailure | undefined;
    try {
      await this.act();
    } catch (error) {
      const promise = error instanceof BrokenPromise ? error.promise : 'nothing throws';
      const message =
        error instanceof BrokenPromise ? error.message : String(error instanceof Error ? error.stack : error);
      failure = { promise, message, atMs: this.clock.monotonic() };
      this.note(`BROKEN: ${promise}: ${message}`);
    } finally {
      process.off('unhandledRejection', this.fail);
      this.disk.waits = false;
      this.node.die();
      await this.cluster.admin.stop();
    }
    return { failure, hash: hashOf(this, this.trace), trace: this.trace };
  }

  private async act(): Promise<void> {
    this.runtime.programs.setDefault((metadata, config) =>
      programOf(config.image?.userSpecifiedImage ?? '', { attempt: metadata.attempt }, this.clock),
    );
    this.addLatency();
    await this.api.prepare();
    if (this.story.csi === true) await this.api.prepareClaims((claim) => this.claimUid(claim));
    if (this.story.dra === true) await this.api.prepareResourceClaims();
    this.dra.onBroken = this.fail;
    this.dra.isInUse = (claim) => this.containers.runsWithClaim(claim);
    this.disk.onLoss = (file) =>
      this.fail(new BrokenPromise('a mounted volume keeps its content', `${file} is removed`));
    this.disk.waits = true;
    this.kubelet.boot();
    for (const step of this.story.steps) {
      await this.advanceTo(step.atMs);
      this.note(tellStep(step));
      this.hangs.onStep(step);
      this.devicePromises?.onStep(step);
      await performAct(step, this);
    }
    await this.advanceTo(this.clock.monotonic() + 1_000);
    this.heal();
    await tellEnding(this, this.story);
  }

  pods(): readonly Pod[] {
    return [...this.server.objects('pods')] as unknown as readonly Pod[];
  }

  isNodeReady(): boolean {
    return [...this.server.objects('nodes')].some((node) => isReady(node as unknown as Node & Pod));
  }

  allocatable(resource: DeviceResource): number {
    const [node] = this.server.objects('nodes') as Iterable<Node>;
    return Number(node?.status?.allocatable?.[resource] ?? 0);
  }

  reboot(): void {
    this.mounts.reboot();
    this.cgroups.reboot();
    for (const { faults } of [this.csi, this.dra]) faults.reboot();
    this.devices.reboot();
    this.newBootId();
    this.runtime.control.reboot();
  }

  private newBootId(): void {
    const file = path.join(this.machine.hostRoot, 'proc/sys/kernel/random/boot_id');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `boot-${++this.boots}\n`);
  }

  nowMs(): number {
    return this.clock.monotonic();
  }

  clockHasJumped(): boolean {
    return this.story.steps.some(({ act, atMs }) => act === 'clock-jumps' && atMs <= this.nowMs());
  }

  unexplainedStops(): readonly string[] {
    return this.containers.unexplainedStops();
  }

  get uids(): ReadonlySet<string> {
    return new Set(this.containers.pods());
  }

  get diskHasFailed(): boolean {
    return this.story.steps.some(({ act }) => act === 'disk-fails');
  }

  get eventsWereDisturbed(): boolean {
    return this.story.steps.some(({ act }) => act === 'events' || act === 'event-streams-end');
  }

  get volumesHaveHung(): boolean {
    return this.story.steps.some((step) => step.act === 'csi' && step.become === 'hangs');
  }

  uid(name: string): string | undefined {
    const pod = this.pods().find(({ metadata }) => metadata.name === name);
    return pod && runtimeUid(pod);
  }

  readonly note = (line: string): void => {
    this.trace.push(`${(this.clock.monotonic() / 1_000).toFixed(3).padStart(9)}  ${line}`);
  };

  private claimUid(claim: string): string {
    const found = [...this.server.objects('persistentvolumeclaims')].find(({ metadata }) => metadata?.name === claim);
    return found?.metadata?.uid ?? '';
  }

  private readonly fail = (error: unknown): void => void (this.trouble ??= error);

  private addLatency(): void {
    const draw = drawFor(this.story.seed, 'latency');
    const { latencyMs, readLatencyMs } = this.story;
    this.runtime.faults.delay({}, (rpc) => {
      this.kubelet.onRuntimeCall();
      const looks = /^(?:list|status|version|runtimeConfig|imageFsInfo|get)|Status$/.test(rpc);
      const mostMs = looks ? readLatencyMs : latencyMs;
      return mostMs === 0 ? 0 : draw.between(0, mostMs);
    });
  }

  /** Ends all faults, and makes sure that a kubelet runs. */
  private heal(): void {
    this.note('all faults end');
    for (const undo of this.undo) undo();
    this.runtime.faults.clear();
    this.runtime.control.comeBack();
    this.server.start();
    this.server.faults.clear();
    // A kubelet notices a silent watch only after minutes, through which each story would have to be told.
    this.server.faults.streams.cut();
    this.disk.heal();
    this.csi.faults.clear();
    this.dra.faults.clear();
    this.devices.heal();
    this.devicePromises?.onHeal();
    this.kubelet.heal();
  }

  async advanceTo(targetMs: number): Promise<void> {
    const { clock, kubelet } = this;
    for (;;) {
      kubelet.bootIfDue();
      const until = Math.min(targetMs, kubelet.bootAtMs ?? Infinity);
      if (until <= clock.monotonic()) break;
      const due = (): boolean => {
        this.observe();
        return clock.monotonic() >= Math.min(until, kubelet.bootAtMs ?? Infinity);
      };
      await clock.runUntil(due, until - clock.monotonic());
    }
  }

  private observe(): void {
    if (this.trouble !== undefined) throw this.trouble;
    this.cgroups.makeMissing();
    this.containers.check();
    this.statuses.check((pod) => this.note(`status ${tellStatus(pod)}`));
    this.hangs.check();
    this.pace.check();
    this.backOffs.check();
    this.devicePromises?.check();
  }
}
