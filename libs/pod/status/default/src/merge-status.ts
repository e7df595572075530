import { isTerminalPhase, type PodCondition, type PodStatus } from '@podwright/kube-types';
import { isKubeletCondition, type ConditionGates } from '@podwright/status-interface';

/** Fields of a status that others write and the kubelet must not change. */
const foreignMembers = [
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'nodeAllocatableResourceClaimStatuses',
] as const;

export interface MergeContext {
  /** The worker has not terminated the containers yet, or the pod still holds other resources. */
  readonly couldHaveRunningContainers: boolean;
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /** `metadata.generation` of the API object, for conditions that are created here. */
  readonly generation?: number;
  /** Which conditions are the kubelet's. Default: with all gates on. */
  readonly gates?: ConditionGates;
}

const isTerminal = ({ phase }: PodStatus): boolean => isTerminalPhase(phase);

/**
 * The status to send: merges the kubelet's `next` into the API object's `shown`. Holds back a terminal phase while
 * containers may run, because others take it to mean that all of the pod's resources are free.
 * Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go mergePodStatus.
 */
export function mergeStatus(shown: PodStatus, next: PodStatus, context: MergeContext): PodStatus {
  const { couldHaveRunningContainers, now, generation, gates } = context;
  const becomesTerminal = !isTerminal(shown) && isTerminal(next);
  const disruption = next.conditions?.find(({ type }) => type === 'DisruptionTarget');
  const conditions = [
    ...(shown.conditions ?? []).filter((condition) => !isKubeletCondition(condition, gates)),
    ...(next.conditions ?? []).filter((condition) => isKubeletCondition(condition, gates)),
  ];
  if (disruption !== undefined && becomesTerminal && !couldHaveRunningContainers) {
    placeDisruption(conditions, disruption, shown.conditions ?? [], now);
  }
  const { phase, reason, message, ...rest } = next;
  const told = becomesTerminal && couldHaveRunningContainers ? shown : { phase, reason, message };
  const merged: PodStatus = {
    ...withForeignMembers(rest, shown),
    conditions,
    ...(told.phase !== undefined && { phase: told.phase }),
    ...(told.reason !== undefined && { reason: told.reason }),
    ...(told.message !== undefined && { message: told.message }),
  };
  return isTerminal(merged) ? withoutReadiness(merged, now, generation) : merged;
}

// Its time is now, when it is first shown: it was held back with the phase.
function placeDisruption(
  conditions: PodCondition[],
  disruption: PodCondition,
  shown: readonly PodCondition[],
  now: string,
): void {
  const old = shown.find(({ type }) => type === disruption.type);
  const time = old?.status === disruption.status ? (old.lastTransitionTime ?? now) : now;
  const placed = { ...disruption, lastTransitionTime: time };
  const index = conditions.findIndex(({ type }) => type === disruption.type);
  if (index < 0) conditions.push(placed);
  else conditions[index] = placed;
}

function withForeignMembers(status: PodStatus, shown: PodStatus): PodStatus {
  const result: Record<string, unknown> = { ...status };
  const theirs = shown as Readonly<Record<string, unknown>>;
  for (const member of foreignMembers) {
    if (theirs[member] === undefined) delete result[member];
    else result[member] = theirs[member];
  }
  return result as PodStatus;
}

// A terminated pod must not get traffic, whatever its last container states say.
function withoutReadiness(status: PodStatus, now: string, generation: number | undefined): PodStatus {
  const readiness = ['ContainersReady', 'Ready'];
  const conditions = status.conditions ?? [];
  if (!conditions.some(({ type, status: value }) => readiness.includes(type) && value === 'True')) return status;
  const reason = status.phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed';
  const seen = generation === undefined ? {} : { observedGeneration: generation };
  const updated = conditions.map((condition) => {
    if (!readiness.includes(condition.type)) return condition;
    const lastTransitionTime = condition.status === 'False' ? (condition.lastTransitionTime ?? now) : now;
    return { type: condition.type, ...seen, status: 'False', reason, lastTransitionTime };
  });
  const missing = readiness.filter((type) => !conditions.some((condition) => condition.type === type));
  return {
    ...status,
    conditions: [
      ...updated,
      ...missing.map((type) => ({ type, ...seen, status: 'False', reason, lastTransitionTime: now })),
    ],
  };
}
