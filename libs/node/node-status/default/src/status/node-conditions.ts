import { aggregateMessage } from '@podwright/errors';
import type { NodeCondition } from '@podwright/kube-types';

/** The conditions after one of them was set, and the resulting event. */
export interface ConditionChange {
  readonly conditions: readonly NodeCondition[];
  /** Reason of a Normal event about the node. */
  readonly event?: string;
}

interface PressureTexts {
  readonly reason: string;
  readonly message: string;
  readonly event: string;
}

/** Pressure conditions, with upstream's texts for pressure and for none. */
const pressures = {
  MemoryPressure: {
    pressed: {
      reason: 'KubeletHasInsufficientMemory',
      message: 'kubelet has insufficient memory available',
      event: 'NodeHasInsufficientMemory',
    },
    free: {
      reason: 'KubeletHasSufficientMemory',
      message: 'kubelet has sufficient memory available',
      event: 'NodeHasSufficientMemory',
    },
  },
  DiskPressure: {
    pressed: {
      reason: 'KubeletHasDiskPressure',
      message: 'kubelet has disk pressure',
      event: 'NodeHasDiskPressure',
    },
    free: {
      reason: 'KubeletHasNoDiskPressure',
      message: 'kubelet has no disk pressure',
      event: 'NodeHasNoDiskPressure',
    },
  },
  PIDPressure: {
    pressed: {
      reason: 'KubeletHasInsufficientPID',
      message: 'kubelet has insufficient PID available',
      event: 'NodeHasInsufficientPID',
    },
    free: {
      reason: 'KubeletHasSufficientPID',
      message: 'kubelet has sufficient PID available',
      event: 'NodeHasSufficientPID',
    },
  },
} as const satisfies Readonly<Record<string, { readonly pressed: PressureTexts; readonly free: PressureTexts }>>;

export type PressureType = keyof typeof pressures;

/**
 * Sets a pressure condition. Changes reason, message and transition time only when the status flips; the first time
 * counts as a flip. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go MemoryPressureCondition and its kin.
 */
export function setPressure(
  conditions: readonly NodeCondition[],
  type: PressureType,
  pressed: boolean,
  nowTime: string,
): ConditionChange {
  const existing = conditions.find((condition) => condition.type === type);
  const status = pressed ? 'True' : 'False';
  if (existing?.status === status) {
    return { conditions: withCondition(conditions, { ...existing, lastHeartbeatTime: nowTime }) };
  }
  const { reason, message, event } = pressures[type][pressed ? 'pressed' : 'free'];
  const condition = {
    ...existing,
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: nowTime,
    lastTransitionTime: nowTime,
  };
  return { conditions: withCondition(conditions, condition), event };
}

/**
 * Sets Ready with its current reason and message; `problems`: why the node is not ready. Appends a new condition last,
 * without an event. Source: as {@link setPressure}, ReadyCondition.
 */
export function setReady(
  conditions: readonly NodeCondition[],
  problems: readonly string[],
  nowTime: string,
  warning?: string,
): ConditionChange {
  const existing = conditions.find(({ type }) => type === 'Ready');
  const ready = problems.length === 0;
  const message = ready ? 'kubelet is posting ready status' : aggregateMessage(problems);
  const status = ready ? 'True' : 'False';
  const flipped = existing?.status !== status;
  const condition: NodeCondition = {
    type: 'Ready',
    status,
    reason: ready ? 'KubeletReady' : 'KubeletNotReady',
    message: warning === undefined ? message : `${message}. WARNING: ${warning}`,
    lastHeartbeatTime: nowTime,
    ...((flipped || existing?.lastTransitionTime !== undefined) && {
      lastTransitionTime: flipped ? nowTime : (existing?.lastTransitionTime as string),
    }),
  } as NodeCondition;
  return {
    conditions: withCondition(conditions, condition),
    ...(existing !== undefined && flipped && { event: ready ? 'NodeReady' : 'NodeNotReady' }),
  };
}

function withCondition(conditions: readonly NodeCondition[], condition: NodeCondition): readonly NodeCondition[] {
  return conditions.some(({ type }) => type === condition.type)
    ? conditions.map((other) => (other.type === condition.type ? condition : other))
    : [...conditions, condition];
}
