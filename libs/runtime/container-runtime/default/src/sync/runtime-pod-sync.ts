import type {
  PodSyncResult,
  RuntimePodStatus,
  SyncPodRequest,
  SyncResult,
} from '@podwright/container-runtime-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { podRef, podUid } from '@podwright/kube-types';
import { computePodActions } from '../actions/compute-pod-actions.js';
import { continueKills } from '../actions/continue-kills.js';
import type { PodActions } from '../actions/pod-actions.js';
import { newestRecord } from '../actions/restart-decision.js';
import type { ContainerMemory } from '../kill/container-memory.js';
import { sandboxIps } from '../inspect/pod-ips.js';
import { rpcErrorText } from '../pod-records/rpc-error-text.js';
import type { PodResizer } from '../resize/pod-resizer.js';
import type { ResizeRules } from '../resize/resize-plan.js';
import type { ContainerRuntimeDeps } from '../runtime-deps.js';
import type { SandboxConfig } from '../sandbox/sandbox-config.js';
import type { SandboxCreator } from '../sandbox/sandbox-creator.js';
import { SandboxFailure } from '../sandbox/sandbox-creator.js';
import { allInOrder } from './all-in-order.js';
import type { ContainerSequence } from './container-sequence.js';
import { hasImageVolume } from './container-sequence.js';
import type { ContainerStarter, ImageAnswer } from './container-starter.js';
import type { PodClearer } from './pod-clearer.js';
import type { StartMetrics } from './start-metrics.js';
import type { StartGate, StartPlace } from './start-place.js';

export interface RuntimePodSyncParts {
  readonly memory: ContainerMemory;
  readonly clearer: PodClearer;
  readonly sandboxes: SandboxCreator;
  readonly starter: ContainerStarter;
  readonly sequence: ContainerSequence;
  readonly gate: StartGate;
  readonly resizer: PodResizer;
  readonly resizeRules: ResizeRules;
  readonly metrics: StartMetrics;
}

/** The sandbox that the containers of one sync go into. */
interface ReadySandbox {
  readonly sandboxId: string;
  readonly sandboxConfig: SandboxConfig;
  readonly podIps: readonly string[];
  readonly firstImage?: ImageAnswer | undefined;
}

/**
 * One sync of one pod, top to bottom. Each step adds its results; `undefined` from a step ends the sync.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod.
 */
export class RuntimePodSync {
  constructor(
    private readonly deps: ContainerRuntimeDeps,
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
    const computed = computePodActions(pod, request.status, request.apiStatus, this.deps.probes, {
      actuated: this.deps.actuated.of(podUid(pod)),
      rules: this.parts.resizeRules,
    });
    const actions = continueKills(pod, request.status, computed, (id) => this.parts.memory.of(pod, id));
    this.announce(pod, actions);
    await this.parts.memory.tidy(
      pod,
      request.status.containers.map(({ id }) => id),
    );
    await this.tellStopped(request, actions);
    const status = await this.parts.clearer.clearAway(request, actions, results);
    if (status === undefined) return;
    const resize = (): Promise<void> => this.resize(pod, actions, results);
    if (this.startsNothing(request, actions)) return resize();
    const place = this.parts.gate.placeFor(pod, !actions.createSandbox);
    try {
      const sandbox = await this.enterSandbox(request, actions, place, results);
      if (sandbox === undefined) return;
      await this.parts.sequence.start({ ...request, ...sandbox, status, place, resize }, actions, results);
    } finally {
      place.giveBack();
    }
  }

  private startsNothing({ pod, status }: SyncPodRequest, actions: PodActions): boolean {
    const starts = [actions.initContainersToStart, actions.containersToStart, actions.ephemeralContainersToStart];
    return (
      !actions.createSandbox &&
      starts.every((list) => list.length === 0) &&
      !this.parts.sequence.hasUnfinishedStart(pod, status)
    );
  }

  private async resize(pod: Pod, { resize, sandboxId }: PodActions, results: SyncResult[]): Promise<void> {
    if (resize === undefined || sandboxId === undefined) return;
    results.push(await this.parts.resizer.resize(pod, sandboxId, resize));
  }

  /** Regular containers that have ended are told each time, as upstream does while it decides. */
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
  }

  private async enterSandbox(
    request: SyncPodRequest,
    actions: PodActions,
    place: StartPlace,
    results: SyncResult[],
  ): Promise<ReadySandbox | undefined> {
    if (actions.createSandbox) return this.createSandbox(request, actions, place, results);
    const { pod, status, apiStatus } = request;
    if (actions.sandboxId === undefined) return undefined;
    const action = { action: 'ConfigPodSandbox', target: actions.sandboxId } as const;
    try {
      const sandboxConfig = await this.parts.sandboxes.configOf(pod, actions.attempt);
      results.push(action);
      // A resize of what runs changes the cgroup of the pod by itself, in the right order.
      if (actions.resize === undefined) await this.parts.resizer.makeRoomForStart(pod, actions.sandboxId);
      return { sandboxId: actions.sandboxId, sandboxConfig, podIps: knownIps(pod, status, apiStatus.podIPs) };
    } catch (cause) {
      const message = `GeneratePodSandboxConfig for pod ${JSON.stringify(podRef(pod))} failed: ${messageOf(cause)}`;
      results.push({ ...action, error: { reason: 'ConfigPodSandboxError', message, cause } });
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
    metrics.pods.increment();
    if (pod.spec.hostUsers === false) metrics.userNamespacedPods.increment();
    try {
      // Side by side, so that pods get their places in the order in which they came.
      [sandboxConfig] = await allInOrder([sandboxes.prepare(pod, actions.attempt), place.take()]);
      // Waiting for the place may have taken a while: a pod that goes away meanwhile is not worth a sandbox.
      if (request.isTerminationRequested()) return undefined;
      sandboxId = await sandboxes.run(pod, sandboxConfig);
    } catch (cause) {
      if (request.isTerminationRequested()) return undefined;
      metrics.podErrors.increment();
      if (pod.spec.hostUsers === false) metrics.userNamespacedPodErrors.increment();
      results.push({ ...action, error: { reason: 'CreatePodSandboxError', message: messageOf(cause), cause } });
      const text = cause instanceof SandboxFailure ? cause.eventText : messageOf(cause);
      this.warn(pod, 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${text}`);
      return undefined;
    }
    results.push(action);
    const firstImage = this.askForFirstImage(request, actions, sandboxConfig);
    const status = await sandboxes.statusOf(sandboxId).catch((error: unknown) => {
      this.warn(pod, 'FailedPodSandBoxStatus', `Unable to get pod sandbox status: ${rpcErrorText(error)}`);
      throw error;
    });
    const podIps =
      pod.spec.hostNetwork === true ? knownIps(pod, request.status, request.apiStatus.podIPs) : sandboxIps(status);
    request.onSandboxReady?.();
    return { sandboxId, sandboxConfig, podIps, firstImage };
  }

  /** In a new pod without back-offs the first image can be looked up while the sandbox is inspected. */
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
    // Awaited only when the container's turn comes, which it may not.
    answer.catch(() => undefined);
    return answer;
  }

  private warn(pod: Pod, reason: string, message: string): void {
    this.deps.recorder.event({ kind: 'Pod', pod }, 'Warning', reason, message);
  }
}

/** IPs of a host-network pod are the node's, which only the API status knows. */
function knownIps(
  pod: Pod,
  status: RuntimePodStatus,
  apiIps: readonly { readonly ip: string }[] = [],
): readonly string[] {
  if (status.ips.length > 0 || pod.spec.hostNetwork !== true) return status.ips;
  return apiIps.map(({ ip }) => ip);
}
