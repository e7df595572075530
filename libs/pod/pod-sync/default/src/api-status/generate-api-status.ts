import type { PodResourceState } from '@podwright/allocation-interface';
import { sandboxChange, type RuntimePodStatus } from '@podwright/container-runtime-interface';
import { PodSandboxState } from '@podwright/cri-client-interface';
import {
  containersReadyCondition,
  isTerminalPhase,
  podQosClass,
  podReadyCondition,
  type Container,
  type ContainerStatus,
  type Pod,
  type PodCondition,
  type PodStatus,
} from '@podwright/kube-types';
import { isKubeletCondition, type ConditionGates } from '@podwright/status-interface';
import type { StartFailure } from '../reason-cache.js';
import type { SandboxObstacle } from '../sandbox-obstacle.js';
import { containerStatuses } from './container-statuses.js';
import { initializedCondition } from './initialized-condition.js';
import { podAddresses } from './pod-addresses.js';
import { computePhase } from './phase.js';
import { allContainersRestarting, isRestartingAll } from './restart-all.js';

export interface ApiStatusInput {
  readonly pod: Pod;
  readonly runtime: RuntimePodStatus;
  readonly runtimeName: string;
  /** The status manager's current status. */
  readonly cached: PodStatus | undefined;
  /** The pod worker has terminated the pod. */
  readonly terminal: boolean;
  /** The kubelet has evicted the pod, or it is deleted and has ended: once Failed it stays so, however its containers end. */
  readonly evicted: boolean;
  /** Addresses of the Node for pods; empty while it has none. */
  readonly hostIps: readonly string[];
  /** The family that comes first in the addresses of pods. */
  readonly primaryFamily: 4 | 6;
  /** The pod's runtime supports recursive read-only mounts. */
  readonly supportsRecursiveReadOnly: boolean;
  /**
   * The current PodResizePending and PodResizeInProgress conditions, in this order, with their own times and
   * generations.
   */
  readonly resizeConditions: readonly PodCondition[];
  /** Gate ContainerStopSignals. */
  readonly showStopSignals: boolean;
  /** What the runtime was told last, by container. */
  readonly actuated?: PodResourceState['containers'] | undefined;
  /** Which conditions are the kubelet's. */
  readonly gates: ConditionGates;
  /** What keeps the pod from a sandbox, as its last sync has found it. */
  readonly sandboxObstacle: SandboxObstacle | undefined;
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  readonly startFailure: (container: string) => StartFailure | undefined;
  readonly withProbeResults: (status: PodStatus) => PodStatus;
}

/**
 * Generates the status that the API shows for a pod. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * generateAPIPodStatus.
 */
export function generateApiStatus(input: ApiStatusInput): PodStatus {
  const { pod, runtime, cached } = input;
  const old = cached ?? pod.status ?? {};
  const restartingAll = input.gates.restartAllContainers && isRestartingAll(pod, runtime, old);
  const list = (
    kind: 'regular' | 'init' | 'ephemeral',
    containers: readonly Container[],
    previous: PodStatus['containerStatuses'],
  ) =>
    containerStatuses({
      ...input,
      kind,
      containers,
      previous: previous ?? [],
      restartingAll,
    });
  const ephemeral = (pod.spec.ephemeralContainers ?? []) as readonly Container[];
  const init = pod.spec.initContainers ?? [];
  const lists: Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'> = {
    containerStatuses: list('regular', pod.spec.containers, old.containerStatuses),
    ...(init.length > 0 && { initContainerStatuses: list('init', init, old.initContainerStatuses) }),
    ...(ephemeral.length > 0 && {
      // Ephemeral containers have no probes, so upstream never says whether they have started.
      ephemeralContainerStatuses: list('ephemeral', ephemeral, old.ephemeralContainerStatuses).map(
        ({ started: _, ...shown }) => shown,
      ),
    }),
  };
  // Compute the phase before applying probe results, as upstream does.
  const phase = settledPhase(input, lists, old);
  const probed = input.withProbeResults(lists);
  const status: PodStatus = {
    ...probed,
    ...phase,
    qosClass: podQosClass(pod),
    ...podAddresses(pod, { ...input, sandboxIps: sandboxIps(input, old) }),
    ...(old.startTime !== undefined && { startTime: old.startTime }),
    ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
  };
  return { ...status, conditions: conditionsOf(input, status, old) };
}

// A terminated pod keeps showing its addresses. Within one process the runtime status carries them over (upstream's
// getPodIPs of the pleg), after a restart the API status does. A running pod on the host network shows the Node's
// current ones.
function sandboxIps({ pod, runtime, terminal }: ApiStatusInput, { podIPs = [], phase }: PodStatus): readonly string[] {
  const { ips, sandboxes } = runtime;
  if (ips.length > 0 || sandboxes.some(({ state }) => state === PodSandboxState.SANDBOX_READY)) return ips;
  if (pod.spec.hostNetwork === true && !terminal && !isTerminalPhase(phase)) return ips;
  return podIPs.flatMap(({ ip }) => ip ?? []);
}

const isTrue = (status: PodStatus, type: string): boolean =>
  status.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

// In upstream's order: a terminal phase is final, whoever set it; the reason lasts as long as its phase; the deadline
// overrides both; a terminal phase that the API has seen overrides everything.
function settledPhase(
  input: ApiStatusInput,
  lists: PodStatus,
  old: PodStatus,
): Pick<PodStatus, 'phase' | 'reason' | 'message'> {
  const { pod, runtime, terminal, nowMs } = input;
  const computed = computePhase({
    pod,
    status: lists,
    terminal,
    regularContainersStarted: regularContainersStarted(pod, runtime),
  });
  const kept =
    isTerminalPhase(computed) && !(input.evicted && old.phase === 'Failed')
      ? computed
      : ([old.phase, pod.status?.phase].find(isTerminalPhase) ?? computed);
  const final = isTerminalPhase(pod.status?.phase) ? pod.status.phase : undefined;
  const { activeDeadlineSeconds: deadline } = pod.spec;
  if (deadline !== undefined && old.startTime !== undefined && nowMs - Date.parse(old.startTime) >= deadline * 1000) {
    const message = 'Pod was active on the node longer than the specified deadline';
    return { phase: final ?? 'Failed', reason: 'DeadlineExceeded', message };
  }
  // After a restart the API alone tells that a pod was evicted whose containers then succeeded.
  const phase = final ?? kept;
  if (phase !== old.phase) return { phase };
  const reason = old.reason || pod.status?.reason;
  const message = old.message || pod.status?.message;
  return { phase, ...(reason && { reason }), ...(message && { message }) };
}

function regularContainersStarted(pod: Pod, runtime: RuntimePodStatus): boolean {
  const sandbox = runtime.sandboxes[0];
  if (sandbox === undefined || sandbox.state !== PodSandboxState.SANDBOX_READY) return false;
  const names = new Set(pod.spec.containers.map(({ name }) => name));
  return runtime.containers.some(({ name, podSandboxId }) => names.has(name) && podSandboxId === sandbox.id);
}

// Conditions of other writers as in the API, then the kubelet's own in upstream's order.
function conditionsOf(input: ApiStatusInput, status: PodStatus, old: PodStatus): PodCondition[] {
  const { pod, runtime, terminal, resizeConditions, gates } = input;
  const foreign = (pod.status?.conditions ?? []).filter((condition) => !isKubeletCondition(condition, gates));
  const carried = withDisruption([...foreign, ...(terminal ? [] : resizeConditions)], old);
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const { generation } = pod.metadata;
  const stamped = (condition: PodCondition): PodCondition =>
    generation === undefined ? condition : { ...condition, observedGeneration: generation };
  const ahead: readonly PodCondition[] = [
    ...carried,
    ...(gates.readyToStartCondition ? [stamped(readyToStart(input))] : []),
    stamped(initializedCondition(pod, status, isTrue(old, 'Initialized'))),
  ];
  const containersReady = withExitCodes(containersReadyCondition(pod, status.phase, all), all);
  const restarting = gates.restartAllContainers ? allContainersRestarting(pod, runtime, status, old) : undefined;
  return [
    ...ahead,
    stamped(podReadyCondition(pod, containersReady, ahead)),
    stamped(containersReady),
    stamped({ type: 'PodScheduled', status: 'True' }),
    // As upstream, without the generation.
    ...(restarting === undefined ? [] : [restarting]),
  ];
}

function readyToStart({ pod, runtime, terminal, sandboxObstacle }: ApiStatusInput): PodCondition {
  const type = 'PodReadyToStartContainers';
  if (!sandboxChange(pod, runtime).create) return { type, status: 'True' };
  return { type, status: 'False', ...(!terminal && sandboxObstacle) };
}

/** Names the containers that a pod has failed for; upstream leaves the message empty. Ready copies it. */
function withExitCodes(condition: PodCondition, containers: readonly ContainerStatus[]): PodCondition {
  if (condition.reason !== 'PodFailed' || condition.message !== undefined) return condition;
  const failed = containers.flatMap(({ name, state }) => {
    const exitCode = state?.terminated?.exitCode ?? 0;
    return exitCode === 0 ? [] : [`${name} (exit code ${exitCode})`];
  });
  return failed.length === 0 ? condition : { ...condition, message: `containers that failed: [${failed.join(' ')}]` };
}

// The condition describes one past event, so it is carried over, at its position in the API's list.
function withDisruption(foreign: readonly PodCondition[], old: PodStatus): readonly PodCondition[] {
  const type = 'DisruptionTarget';
  const known = old.conditions?.find((condition) => condition.type === type);
  if (known === undefined) return foreign;
  const shown = foreign.some((condition) => condition.type === type);
  return shown ? foreign.map((condition) => (condition.type === type ? known : condition)) : [...foreign, known];
}
