import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Node, Pod } from '@podwright/kube-types';
import type { SimulatedRuntime } from '@podwright/simulated-runtime';
import type { TestApiServer } from '@podwright/test-apiserver';
import { VirtualClock, yieldToEventLoop } from '@podwright/time';
import { SimulatedCluster } from '../simulated-cluster.js';
import { ContainerPromises } from './container-promises.js';
import { drawFor } from './draw.js';
import { MachineDisk } from './machine-disk.js';
import { programOf } from './programs.js';
import { BrokenPromise, isReady, runtimeUid } from './promises.js';
import { complaintsAtRest, type RestingScene } from './rest-promises.js';
import { StatusPromises } from './status-promises.js';
import { StoryApi } from './story-api.js';
import { performAct, type Stage } from './perform-act.js';
import { tellStep } from './tell-story.js';
import type { Story, StoryFailure, StoryStep } from './story.js';

export interface StoryResult {
  /** Undefined when every promise was kept. */
  readonly failure: StoryFailure | undefined;
  /** Of all calls, requests and answers: equal when the story is told again. */
  readonly hash: string;
  /** What happened, with the milliseconds since the start. */
  readonly trace: readonly string[];
}

// Back-offs and retries end within five minutes.
const restLimitMs = 8 * 60_000;
const stableMs = 20_000;
const stopLimitMs = 60_000;

const settle = async (): Promise<void> => {
  // Files are done at once here, so there is nothing else to wait for.
  for (let turn = 0; turn < 3; turn++) await yieldToEventLoop();
};

/** Tells a story from its beginning to its end, or to the first promise that is broken. */
export async function runStory(story: Story, parentDir = tmpdir()): Promise<StoryResult> {
  const clock = new VirtualClock({ settle });
  const disk = new MachineDisk(() => run?.dir ?? parentDir);
  let run: StoryRun | undefined;
  try {
    const cluster = await SimulatedCluster.create({
      seed: story.seed,
      recorded: false,
      parentDir,
      cluster: { clock, auditLength: 1_000_000 },
      configuration: story.configuration,
      runtime: { containersInSandboxStatus: story.configuration.featureGates?.['EventedPLEG'] === true },
    });
    run = new StoryRun(story, cluster, clock, disk);
    return await run.tell();
  } finally {
    disk.dispose();
    if (run !== undefined) rmSync(run.dir, { recursive: true, force: true });
  }
}

class StoryRun implements RestingScene, Stage {
  readonly runtime: SimulatedRuntime;
  readonly server: TestApiServer;
  readonly api: StoryApi;
  readonly dir: string;
  readonly podsDir: string;
  readonly undo = new Set<() => void>();
  private readonly written = new Set<string>();
  private readonly removed = new Set<string>();
  private readonly trace: string[] = [];
  private readonly containers: ContainerPromises;
  private readonly statuses: StatusPromises;
  private readonly deadlines: { readonly atMs: number; readonly pod: string; readonly step: StoryStep }[] = [];
  private bootAtMs: number | undefined;
  private callsUntilDeath: number | undefined;
  private onDeath = (): void => undefined;
  private incarnation = 0;
  private trouble: unknown;

  constructor(
    private readonly story: Story,
    private readonly cluster: SimulatedCluster,
    readonly clock: VirtualClock,
    readonly disk: MachineDisk,
  ) {
    this.runtime = cluster.node.runtime;
    this.server = cluster.cluster.server;
    this.api = new StoryApi(this.server.transport());
    this.dir = cluster.node.dir;
    this.podsDir = path.join(this.dir, 'root/pods');
    this.containers = new ContainerPromises(this);
    this.statuses = new StatusPromises(this, this.containers);
  }

  async tell(): Promise<StoryResult> {
    const failed = (error: unknown): void => void (this.trouble ??= error);
    process.on('unhandledRejection', failed);
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
      process.off('unhandledRejection', failed);
      this.cluster.node.die();
      await this.cluster.admin.stop();
    }
    return { failure, hash: this.hash(), trace: this.trace };
  }

  private async act(): Promise<void> {
    mkdirSync(this.manifestsDir);
    this.runtime.programs.setDefault((metadata, config) =>
      programOf(config.image?.userSpecifiedImage ?? '', { attempt: metadata.attempt }, this.clock),
    );
    this.addLatency();
    await this.api.prepare();
    this.boot();
    for (const step of this.story.steps) {
      await this.advanceTo(step.atMs);
      this.note(tellStep(step));
      if (step.act === 'create' && step.readyWithinMs !== undefined) {
        this.deadlines.push({ atMs: step.atMs + step.readyWithinMs, pod: step.pod.metadata.name ?? '', step });
      }
      await performAct(step, this);
    }
    await this.advanceTo(this.clock.monotonic() + 1_000);
    this.heal();
    await this.rest();
    await this.epilogue();
  }

  pods(): readonly Pod[] {
    return [...this.server.objects('pods')] as unknown as readonly Pod[];
  }

  manifests(): ReadonlySet<string> {
    return this.written;
  }

  isNodeReady(): boolean {
    return [...this.server.objects('nodes')].some((node) => isReady(node as unknown as Node & Pod));
  }

  hadAnEnd(): boolean {
    return this.incarnation > 1;
  }

  nowMs(): number {
    return this.clock.monotonic();
  }

  uid(name: string): string | undefined {
    const pod = this.pods().find(({ metadata }) => metadata.name === name);
    return pod && runtimeUid(pod);
  }

  writeManifest(pod: Pod): void {
    const name = pod.metadata.name ?? '';
    this.written.add(name);
    // The kubelet would make a UID from the path as well, which is another one in each run.
    const uid = createHash('sha256').update(JSON.stringify(pod)).digest('hex').slice(0, 32);
    const manifest = { ...pod, metadata: { ...pod.metadata, uid } };
    writeFileSync(path.join(this.manifestsDir, `${name}.json`), JSON.stringify(manifest));
  }

  wasRemoved({ metadata }: Pod): boolean {
    return this.removed.has(metadata.name ?? '');
  }

  removeManifest(name: string): void {
    this.written.delete(name);
    this.removed.add(`${name}-node`);
    rmSync(path.join(this.manifestsDir, `${name}.json`), { force: true });
  }

  note(line: string): void {
    this.trace.push(`${(this.clock.monotonic() / 1_000).toFixed(3).padStart(9)}  ${line}`);
  }

  /** Kills the kubelet now or later; a new one starts `downMs` after. */
  kill(after: 'file-operations' | 'runtime-calls' | undefined, count: number, downMs: number): void {
    const die = (): void => {
      if (this.bootAtMs !== undefined) return;
      this.note('the kubelet is killed');
      this.disk.open = false;
      this.callsUntilDeath = undefined;
      this.incarnation++;
      this.cluster.node.die();
      this.bootAtMs = this.clock.monotonic() + downMs;
    };
    if (after === undefined) return die();
    if (after === 'file-operations') return this.disk.dieAfter(count, die);
    this.callsUntilDeath = count;
    this.onDeath = die;
  }

  stop(downMs: number): void {
    if (!this.cluster.node.isUp) return;
    const incarnation = this.incarnation;
    const limit = this.clock.setTimer(stopLimitMs, () => {
      if (incarnation === this.incarnation) this.trouble ??= new BrokenPromise('the kubelet stops', 'it does not stop');
    });
    void this.cluster.node.stopMeanwhile().then(() => {
      limit.cancel();
      if (incarnation !== this.incarnation) return;
      this.incarnation++;
      this.note('the kubelet has stopped');
      this.disk.open = false;
      this.bootAtMs = this.clock.monotonic() + downMs;
    });
  }

  private get manifestsDir(): string {
    return path.join(this.dir, 'manifests');
  }

  private boot(): void {
    const incarnation = ++this.incarnation;
    this.bootAtMs = undefined;
    this.disk.open = true;
    this.note('a kubelet starts');
    this.cluster.node.bootMeanwhile({ staticPodPath: this.manifestsDir }).catch((error: unknown) => {
      if (incarnation !== this.incarnation) return;
      // The service manager starts it again.
      this.note(`the kubelet does not start: ${String(error)}`);
      this.kill(undefined, 0, 5_000);
    });
  }

  private addLatency(): void {
    const draw = drawFor(this.story.seed, 'latency');
    const { latencyMs, readLatencyMs } = this.story;
    this.runtime.faults.delay({}, (rpc) => {
      if (this.callsUntilDeath !== undefined && this.callsUntilDeath-- <= 0) {
        this.callsUntilDeath = undefined;
        this.onDeath();
      }
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
    this.callsUntilDeath = undefined;
    this.runtime.control.comeBack();
    this.server.start();
    this.server.faults.clear();
    // A kubelet notices a silent watch only after minutes, through which each story would have to be told.
    this.server.faults.streams.cut();
    this.disk.heal();
    if (this.bootAtMs !== undefined) this.bootAtMs = this.clock.monotonic();
  }

  private async advanceTo(targetMs: number): Promise<void> {
    const { clock } = this;
    for (;;) {
      if (this.bootAtMs !== undefined && this.bootAtMs <= clock.monotonic()) this.boot();
      const until = Math.min(targetMs, this.bootAtMs ?? Infinity);
      if (until <= clock.monotonic()) break;
      const due = (): boolean => {
        this.observe();
        return clock.monotonic() >= Math.min(until, this.bootAtMs ?? Infinity);
      };
      await clock.runUntil(due, until - clock.monotonic());
    }
  }

  private observe(): void {
    if (this.trouble !== undefined) throw this.trouble;
    this.containers.check();
    this.statuses.check((pod) => this.note(`status ${statusOf(pod)}`));
    while (this.deadlines[0] !== undefined && this.deadlines[0].atMs <= this.clock.monotonic()) {
      const { pod: name } = this.deadlines.shift()!;
      const pod = this.pods().find(({ metadata }) => metadata.name === name);
      if (pod && this.onlyHangs() && !isReady(pod)) {
        throw new BrokenPromise('a pod does not wait for one that hangs', `${name} is not ready in time`);
      }
    }
  }

  private onlyHangs(): boolean {
    const harmless = new Set(['create', 'delete', 'write-manifest', 'remove-manifest', 'set-image', 'resize', 'exit']);
    return this.story.steps.every(
      ({ act, ...step }) => harmless.has(act) || (act === 'runtime-hangs' && 'pod' in step),
    );
  }

  private async rest(): Promise<void> {
    const startedMs = this.clock.monotonic();
    let quietSinceMs = startedMs;
    let complaints: readonly string[] = [];
    for (;;) {
      await this.advanceTo(this.clock.monotonic() + 1_000);
      complaints = complaintsAtRest(this);
      if (complaints.length > 0) quietSinceMs = this.clock.monotonic();
      else if (this.clock.monotonic() - quietSinceMs >= stableMs) break;
      if (this.clock.monotonic() - startedMs > restLimitMs) {
        throw new BrokenPromise('all is well when all is quiet', complaints.join('; ') || 'it goes on changing');
      }
    }
    this.note('all is as it must be');
  }

  private async epilogue(): Promise<void> {
    const { epilogue } = this.story;
    if (epilogue === 'none') return;
    if (epilogue === 'drain') {
      this.note('everything is deleted');
      for (const name of this.written) this.removeManifest(name);
      for (const { metadata } of this.pods()) await this.api.delete(metadata.name ?? '');
      await this.rest();
      const left = this.runtime.control.sandboxes.map(({ config }) => config.metadata?.name);
      if (this.pods().length > 0) throw new BrokenPromise('a drained node is empty', `pods are left: ${left.join()}`);
      return;
    }
    const before = this.lasting();
    this.statuses.afterRestartOnly = true;
    this.note(`the kubelet restarts (${epilogue}), nothing else happens`);
    if (epilogue === 'kill') this.kill(undefined, 0, 2_000);
    else this.stop(2_000);
    await this.advanceTo(this.clock.monotonic() + 30_000);
    await this.rest();
    const gone = before.filter((id) => !this.lasting().includes(id));
    if (gone.length > 0) throw new BrokenPromise('a restart of the kubelet restarts no container', gone.join());
  }

  /** Containers that run until somebody stops them. */
  private lasting(): string[] {
    const running = this.runtime.control.containers().filter((each) => each.running);
    return running.filter(({ program }) => program.exitAfterMs === undefined).map(({ id }) => id);
  }

  private hash(): string {
    const hash = createHash('sha256');
    const add = (line: string): void => void hash.update(`${line.replaceAll(this.dir, 'DIR')}\n`);
    for (const { rpc, subject, startedAtMs, outcome } of this.runtime.calls.all) {
      add(`${startedAtMs} ${rpc} ${subject} ${outcome}`);
    }
    for (const { atMs, user, method, path: asked, query, body, code } of this.server.audit.entries) {
      add(`${atMs} ${user} ${method} ${asked}?${query.toString()} ${code} ${body}`);
    }
    for (const line of this.trace) add(line);
    return hash.digest('hex');
  }
}

function statusOf({ metadata, status, spec }: Pod): string {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map((each) => {
    const state =
      each.state?.waiting?.reason ?? (each.state?.running ? 'running' : `ended ${each.state?.terminated?.exitCode}`);
    return `${each.name} ${state}${each.restartCount > 0 ? ` (${each.restartCount})` : ''}`;
  });
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True' ? ' ready' : '';
  const ending = metadata.deletionTimestamp === undefined ? '' : ` ending in ${metadata.deletionGracePeriodSeconds} s`;
  const ended = status?.reason === undefined ? '' : ` (${status.reason})`;
  return `${metadata.name} ${status?.phase}${ended}${ready}${ending}: ${containers.join(', ') || spec.containers.length}`;
}
