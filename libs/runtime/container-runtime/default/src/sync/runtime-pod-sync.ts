import {
  newestRecord,
  type PodSyncResult,
  type RuntimePodStatus,
  type SyncPodRequest,
  type SyncResult,
} from '@podwright/container-runtime-interface';
import { KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import { journalPod, type SandboxFailed } from '@podwright/journal-interface';
import type { Pod } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import type { Counter } from '@podwright/metrics';
import { computePodActions } from '../actions/compute-pod-actions.js';
import { continueKills } from '../actions/continue-kills.js';
import type { PodActions } from '../actions/pod-actions.js';
import type { ContainerCheckpoints } from '../kill/container-checkpoints.js';
import { sandboxIps } from '../inspect/pod-ips.js';
import type { ContainerRuntimeNeeds } from '../container-runtime-needs.js';
import type { SandboxConfig } from '../sandbox/sandbox-config.js';
import type { SandboxCreator } from '../sandbox/sandbox-creator.js';
import { SandboxFailure } from '../sandbox/sandbox-creator.js';
import type { StartGate } from '../start-gate/start-gate.js';
import type { StartPlace } from '../start-gate/start-place.js';
import { allInOrder } from './all-in-order.js';
import type { ContainerSequence } from './container-sequence.js';
import { hasImageVolume } from './container-sequence.js';
import type { ContainerStarter, ImageAnswer } from './container-starter.js';
import type { PodCleanup } from './pod-cleanup.js';
import type { StartMetrics } from './start-metrics.js';

export interface RuntimePodSyncParts {
  readonly checkpoints: ContainerCheckpoints;
  readonly cleanup: PodCleanup;
  readonly sandboxes: SandboxCreator;
  readonly starter: ContainerStarter;
  readonly sequence: ContainerSequence;
  readonly gate: StartGate;
  readonly metrics: StartMetrics;
}

/** The sandbox for the containers of one sync. */
interface ReadySandbox {
  readonly sandboxId: string;
  readonly sandboxConfig: SandboxConfig;
  readonly podIps: readonly string[];
  readonly firstImage?: ImageAnswer | undefined;
}

// Shorter than the time after which a healthy pod is synced again.
const justStartedMs = 55_000;

/**
 * One sync of one pod, from top to bottom. Each step adds its results; a step that returns `undefined` ends the sync.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod.
 */
export class RuntimePodSync {
  constructor(
    private readonly deps: ContainerRuntimeNeeds,
    private readonly parts: RuntimePodSyncParts,
  ) {}

  async sync(request: SyncPodRequest): Promise<PodSyncResult> {
    const results: SyncResult[] = [];
    try {
      await this.run(request, results);
      return { results };
    } catch (error) {
      return { results, error: KubeletError.from(error) };
    }
  }

  private async run(request: SyncPodRequest, results: SyncResult[]): Promise<void> {
    const { pod } = request;
    const plan = this.deps.resizer.plan(pod);
    const computed = computePodActions(pod, request.status, request.apiStatus, this.deps.probes, plan);
    const actions = continueKills(pod, request.status, computed, (id) => this.parts.checkpoints.of(pod, id));
    this.announce(pod, actions);
    await this.parts.checkpoints.tidy(
      pod,
      request.status.containers.map(({ id }) => id),
    );
    await this.tellStopped(request, actions);
    const status = await this.parts.cleanup.cleanUp(request, actions, results);
    if (status === undefined) return;
    const resize = (): Promise<void> => this.resize(pod, actions, results);
    const starts = this.startsContainers(request, actions);
    if (!actions.createSandbox && !starts && this.hasJustStarted(request)) return resize();
    const place = this.parts.gate.placeFor(pod, !actions.createSandbox);
    let complete = false;
    try {
      const sandbox = actions.createSandbox
        ? await this.createSandbox(request, actions, place, results)
        : await this.enterSandbox(request, actions, starts, results);
      if (sandbox !== undefined)
        await this.parts.sequence.start({ ...request, ...sandbox, status, place, resize }, actions, results);
      complete = results.every(({ error }) => error === undefined);
    } finally {
      place.giveBack();
      if (!complete && actions.createSandbox)
        this.countWithUserNamespace(pod, this.parts.metrics.userNamespacedPodErrors);
    }
  }

  // As upstream, whatever fails in the sync that makes the sandbox: a user namespace may break each of its steps.
  private countWithUserNamespace({ spec }: Pod, counter: Counter): void {
    if (spec.hostUsers === false) counter.increment();
  }

  private startsContainers({ pod, status }: SyncPodRequest, actions: PodActions): boolean {
    const starts = [actions.initContainersToStart, actions.containersToStart, actions.ephemeralContainersToStart];
    return starts.some((list) => list.length > 0) || this.parts.sequence.hasUnfinishedStart(pod, status);
  }

  // A pod is synced again right after its start, when its surroundings have just been looked at.
  private hasJustStarted({ status }: SyncPodRequest): boolean {
    const since = BigInt(Math.trunc(this.deps.clock.now()) - justStartedMs) * 1_000_000n;
    return status.containers.some(({ state, startedAt }) => state === 'running' && startedAt > since);
  }

  private async resize(pod: Pod, { resize, sandboxId }: PodActions, results: SyncResult[]): Promise<void> {
    if (resize === undefined || sandboxId === undefined) return;
    results.push(await this.deps.resizer.resize(pod, sandboxId, resize));
  }

  /** As upstream: each sync calls the post-stop hook for regular containers that no longer run. */
  private async tellStopped({ pod, status }: SyncPodRequest, actions: PodActions): Promise<void> {
    const { internalLifecycle, logger } = this.deps;
    if (internalLifecycle === undefined || actions.createSandbox) return;
    for (const { name } of pod.spec.containers) {
      const record = newestRecord(status, name);
      if (record === undefined || record.state === 'running') continue;
      await internalLifecycle.postStopContainer(record.id).catch((error: unknown) => {
        logger.error('Internal container post-stop lifecycle hook failed', {
          pod: podRef(pod),
          container: name,
          error,
        });
      });
    }
  }

  private announce(pod: Pod, { createSandbox, sandboxId }: PodActions): void {
    if (!createSandbox || sandboxId === undefined) return;
    const message = 'Pod sandbox changed, it will be killed and re-created.';
    this.deps.recorder.event({ kind: 'Pod', pod }, 'Normal', 'SandboxChanged', message);
    this.deps.journal?.report({ kind: 'sandbox.replaced', pod: journalPod(pod), sandboxId });
  }

  private async enterSandbox(
    request: SyncPodRequest,
    actions: PodActions,
    startsContainers: boolean,
    results: SyncResult[],
  ): Promise<ReadySandbox | undefined> {
    const { pod, status, apiStatus } = request;
    if (actions.sandboxId === undefined) return undefined;
    // As upstream, also when nothing starts: the warnings about a pod's resolver settings come with each sync.
    const action = { action: 'ConfigPodSandbox', target: actions.sandboxId } as const;
    const begunAtMs = this.deps.clock.monotonic();
    try {
      const sandboxConfig = await this.parts.sandboxes.configOf(pod, actions.attempt);
      if (startsContainers) {
        results.push(action); // a result without a start would ask for a relist, and that for the next sync
        // A resize of running containers changes the pod's cgroup itself, in the right order.
        if (actions.resize === undefined) await this.deps.resizer.makeRoomForStart(pod, actions.sandboxId);
      }
      return { sandboxId: actions.sandboxId, sandboxConfig, podIps: knownIps(pod, status, apiStatus.podIPs) };
    } catch (cause) {
      const message = `GeneratePodSandboxConfig for pod ${JSON.stringify(podRef(pod))} failed: ${messageOf(cause)}`;
      results.push({ ...action, error: { reason: 'ConfigPodSandboxError', message, cause } });
      this.journalFailure(request, actions, begunAtMs, { step: 'config', error: messageOf(cause) });
      return undefined;
    }
  }

  private async createSandbox(
    request: SyncPodRequest,
    actions: PodActions,
    place: StartPlace,
    results: SyncResult[],
  ): Promise<ReadySandbox | undefined> {
    const { pod } = request;
    const { sandboxes, metrics } = this.parts;
    const action = { action: 'CreatePodSandbox', target: podRef(pod) } as const;
    let sandboxConfig: SandboxConfig;
    let sandboxId: string;
    let waitedMs = 0;
    metrics.pods.increment();
    this.countWithUserNamespace(pod, metrics.userNamespacedPods);
    // Before the pod takes a start slot: a driver that does not answer must not keep other pods waiting.
    if (!(await this.prepareClaims(request, actions))) return undefined;
    let begunAtMs = this.deps.clock.monotonic();
    let step: SandboxFailed['step'] = 'config';
    try {
      // Concurrently, so that pods get start slots in the order of their arrival.
      [sandboxConfig] = await allInOrder([sandboxes.prepare(pod, actions.attempt), place.take(request.signal)]);
      const readyAtMs = this.deps.clock.monotonic();
      waitedMs = readyAtMs - begunAtMs;
      begunAtMs = readyAtMs;
      step = 'create';
      // The wait for a slot may take a while, and a pod that is terminated meanwhile needs no sandbox.
      if (request.isTerminationRequested() || request.signal?.aborted === true) return undefined;
      sandboxId = await sandboxes.run(pod, sandboxConfig);
    } catch (cause) {
      if (request.isTerminationRequested()) return undefined;
      metrics.podErrors.increment();
      results.push({ ...action, error: { reason: 'CreatePodSandboxError', message: messageOf(cause), cause } });
      const text = cause instanceof SandboxFailure ? cause.eventText : messageOf(cause);
      this.warn(pod, 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${text}`);
      this.journalFailure(request, actions, begunAtMs, { step, error: text });
      return undefined;
    }
    results.push(action);
    const firstImage = this.askForFirstImage(request, actions, sandboxConfig);
    const status = await sandboxes.statusOf(sandboxId).catch((error: unknown) => {
      this.warn(pod, 'FailedPodSandBoxStatus', `Unable to get pod sandbox status: ${rpcErrorText(error)}`);
      this.journalFailure(request, actions, begunAtMs, { step: 'status', error: rpcErrorText(error) });
      throw error;
    });
    const podIps =
      pod.spec.hostNetwork === true ? knownIps(pod, request.status, request.apiStatus.podIPs) : sandboxIps(status);
    const durationMs = this.deps.clock.monotonic() - begunAtMs;
    const { attempt } = actions;
    const of = { pod: journalPod(pod), sandboxId, attempt };
    this.deps.journal?.report({ kind: 'sandbox.created', ...of, waitedMs, durationMs, podIps });
    request.onSandboxReady?.();
    return { sandboxId, sandboxConfig, podIps, firstImage };
  }

  private journalFailure(
    { pod }: SyncPodRequest,
    { attempt }: PodActions,
    begunAtMs: number,
    failure: Pick<SandboxFailed, 'step' | 'error'>,
  ): void {
    const durationMs = this.deps.clock.monotonic() - begunAtMs;
    this.deps.journal?.report({ kind: 'sandbox.failed', pod: journalPod(pod), attempt, durationMs, ...failure });
  }

  /**
   * Whether the sandbox may be created. As upstream, a failure is no result of the sync: the pod has no back-off, and
   * its next sync tries again.
   */
  private async prepareClaims(request: SyncPodRequest, actions: PodActions): Promise<boolean> {
    const { pod, signal } = request;
    const begunAtMs = this.deps.clock.monotonic();
    try {
      await this.deps.claims?.prepare(pod, signal);
      return true;
    } catch (error) {
      if (signal?.aborted === true) return false;
      const message = `Failed to prepare dynamic resources: ${messageOf(error)}`;
      this.warn(pod, 'FailedPrepareDynamicResources', message);
      this.journalFailure(request, actions, begunAtMs, { step: 'claims', error: messageOf(error) });
      this.deps.logger.error('Failed to prepare dynamic resources', { pod: podRef(pod), error });
      return false;
    }
  }

  /** In a new pod without back-offs, the first image can be requested while the sandbox is inspected. */
  private askForFirstImage(
    { pod, status, pullSecrets, isTerminationRequested, signal }: SyncPodRequest,
    { initContainersToStart, containersToStart }: PodActions,
    sandboxConfig: SandboxConfig,
  ): ImageAnswer | undefined {
    if (status.containers.length > 0 || hasImageVolume(pod.spec.volumes) || isTerminationRequested()) return undefined;
    const [init] = initContainersToStart;
    const [regular] = containersToStart;
    const container = init === undefined ? pod.spec.containers[regular ?? -1] : (pod.spec.initContainers ?? [])[init];
    if (container === undefined) return undefined;
    const answer = this.parts.starter.ensureImage({ pod, sandboxConfig, pullSecrets, signal }, container);
    // Handled here too, because the container's turn may never come.
    answer.catch(() => undefined);
    return answer;
  }

  private warn(pod: Pod, reason: string, message: string): void {
    this.deps.recorder.event({ kind: 'Pod', pod }, 'Warning', reason, message);
  }
}

/** IPs of a host-network pod are the node's; only the API status has them. */
function knownIps(
  pod: Pod,
  status: RuntimePodStatus,
  apiIps: readonly { readonly ip: string }[] = [],
): readonly string[] {
  if (status.ips.length > 0 || pod.spec.hostNetwork !== true) return status.ips;
  return apiIps.map(({ ip }) => ip);
}
