import type { RuntimeCondition, StatusResponse } from '@podwright/cri-client-interface';

export interface ConditionErrors {
  readonly runtime: string | undefined;
  readonly network: string | undefined;
}

/**
 * Errors from the two conditions of a Status answer. Source: kubernetes v1.36 pkg/kubelet/kubelet.go updateRuntimeUp.
 */
export function conditionErrors({ status }: StatusResponse): ConditionErrors {
  const errorOf = (type: string, what: string): string | undefined => {
    const condition = status?.conditions.find((each) => each.type === type);
    return condition?.status === true ? undefined : `${what}: ${textOf(condition)}`;
  };
  return {
    runtime: errorOf('RuntimeReady', 'container runtime not ready'),
    network: errorOf('NetworkReady', 'container runtime network not ready'),
  };
}

/** A condition as Go prints it; a missing one is a nil pointer there. */
function textOf(condition: RuntimeCondition | undefined): string {
  if (condition === undefined) return '<nil>';
  const { type, status, reason, message } = condition;
  return `${type}=${status} reason:${reason} message:${message}`;
}
