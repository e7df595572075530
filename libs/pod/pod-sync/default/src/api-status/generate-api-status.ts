import { newestRecord, sandboxChange, type RuntimePodStatus } from '@podwright/container-runtime-interface';
import { PodSandboxState } from '@podwright/cri-client-interface';
import { matchingRestartRule, podQosClass, type Container, type Pod, type PodCondition, type PodStatus } from '@podwright/kube-types';
import { containersReadyCondition, initializedCondition, podReadyCondition } from '@podwright/status-interface';
import type { StartFailure } from '../reason-cache.js';
import { containerStatuses } from './container-statuses.js';
import { podAddresses } from './pod-addresses.js';
import { computePhase } from './phase.js';

export interface ApiStatusInput {
  readonly pod: Pod;
  readonly runtime: RuntimePodStatus;
  readonly runtimeName: string;
  /** What the status manager holds. */
  readonly cached: PodStatus | undefined;
  /** The worker has ended the pod. */
  readonly terminal: boolean;
  readonly nodeIps: readonly string[];
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  readonly startFailure: (container: string) => StartFailure | undefined;
  readonly withProbeResults: (status: PodStatus) => PodStatus;
}

const kubeletOwned = new Set(['PodScheduled', 'Ready', 'Initialized', 'ContainersReady', 'PodReadyToStartContainers', 'AllContainersRestarting']);

/** The status that the API shows for a pod. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go generateAPIPodStatus. */
export function generateApiStatus(input: ApiStatusInput): PodStatus {
  const { pod, runtime, cached } = input;
  const old = cached ?? pod.status ?? {};
  const list = (kind: 'regular' | 'init' | 'ephemeral', containers: readonly Container[], previous: PodStatus['containerStatuses']) =>
    containerStatuses({ ...input, kind, containers, previous: previous ?? [] });
  const ephemeral = (pod.spec.ephemeralContainers ?? []) as readonly Container[];
  const init = pod.spec.initContainers ?? [];
  const lists: Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'> = {
    containerStatuses: list('regular', pod.spec.containers, old.containerStatuses),
    ...(init.length > 0 && { initContainerStatuses: list('init', init, old.initContainerStatuses) }),
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: list('ephemeral', ephemeral, old.ephemeralContainerStatuses) }),
  };
  const probed = input.withProbeResults(lists);
  const phase = settledPhase(input, probed, old);
  const status: PodStatus = {
    ...probed,
    ...phase,
    qosClass: pod.status?.qosClass ?? podQosClass(pod),
    ...podAddresses(pod, runtime.ips, input.nodeIps),
    ...(old.startTime !== undefined && { startTime: old.startTime }),
    ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
  };
  return { ...status, conditions: conditionsOf(input, status, old) };
}

// A terminal phase is final, whoever wrote it, and an evicting handler's reason survives as long as its phase does.
function settledPhase({ pod, runtime, terminal, nowMs }: ApiStatusInput, lists: PodStatus, old: PodStatus): Pick<PodStatus, 'phase' | 'reason' | 'message'> {
  const computed = computePhase({ pod, status: lists, terminal, regularContainersStarted: regularContainersStarted(pod, runtime) });
  const isTerminal = (phase: string | undefined): phase is string => phase === 'Succeeded' || phase === 'Failed';
  const kept = isTerminal(computed) ? undefined : [old.phase, pod.status?.phase].find(isTerminal);
  const deadline = pod.spec.activeDeadlineSeconds;
  const apiPhase = pod.status?.phase;
  if (deadline !== undefined && old.startTime !== undefined && !isTerminal(kept ?? computed) && nowMs - Date.parse(old.startTime) >= deadline * 1000) {
    return { phase: 'Failed', reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' };
  }
  const phase = isTerminal(apiPhase) ? apiPhase : (kept ?? computed);
  if (phase !== old.phase) return { phase };
  const reason = old.reason ?? pod.status?.reason;
  const message = old.message ?? pod.status?.message;
  return { phase, ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) };
}

function regularContainersStarted(pod: Pod, runtime: RuntimePodStatus): boolean {
  const sandbox = runtime.sandboxes[0];
  if (sandbox === undefined || sandbox.state !== PodSandboxState.SANDBOX_READY) return false;
  const names = new Set(pod.spec.containers.map(({ name }) => name));
  return runtime.containers.some(({ name, podSandboxId }) => names.has(name) && podSandboxId === sandbox.id);
}

function conditionsOf({ pod, runtime }: ApiStatusInput, status: PodStatus, old: PodStatus): PodCondition[] {
  const foreign = (pod.status?.conditions ?? []).filter(({ type }) => !kubeletOwned.has(type));
  const disruption = (old.conditions ?? []).filter(({ type }) => type === 'DisruptionTarget' && !foreign.some((condition) => condition.type === type));
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const wasInitialized = old.conditions?.find(({ type }) => type === 'Initialized')?.status === 'True';
  const containersReady = containersReadyCondition(pod, status.phase, all);
  const restarting = allContainersRestarting(pod, runtime, status, old);
  const generated: PodCondition[] = [
    ...disruption,
    { type: 'PodReadyToStartContainers', status: sandboxChange(pod, runtime).create ? 'False' : 'True' },
    initializedCondition(pod, status, wasInitialized),
    podReadyCondition(pod, containersReady, foreign),
    containersReady,
    { type: 'PodScheduled', status: 'True' },
    ...(restarting === undefined ? [] : [restarting]),
  ];
  const generation = pod.metadata.generation;
  return [...foreign, ...generated.map((condition) => (generation === undefined ? condition : { ...condition, observedGeneration: generation }))];
}

// Only pods with such a rule show it; it stays True until every record of their containers is gone.
function allContainersRestarting(pod: Pod, runtime: RuntimePodStatus, status: PodStatus, old: PodStatus): PodCondition | undefined {
  const type = 'AllContainersRestarting';
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])] as readonly Parameters<typeof matchingRestartRule>[0][];
  if (!containers.some(({ restartPolicyRules }) => restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'))) return undefined;
  if (status.phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (status.phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const was = old.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
  const triggered = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some((container) => {
    const record = newestRecord(runtime, container.name);
    return record?.state === 'exited' && matchingRestartRule(container, record.exitCode)?.action === 'RestartAllContainers';
  });
  return (was || triggered) && runtime.containers.length > 0
    ? { type, status: 'True', reason: 'RestartAllContainersStarted', message: 'container exited with restart policy rule' }
    : { type, status: 'False' };
}
