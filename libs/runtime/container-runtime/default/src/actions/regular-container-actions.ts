import {
  newestRecord,
  shouldContainerBeStarted,
  type ResizePlan,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { ProbeResults } from '@podwright/probe-interface';
import { containerHash } from '../pod-records/container-hash.js';
import type { ContainerKill, KillReason } from './pod-actions.js';
import { restartPolicyOf } from './restart-decision.js';

export interface RegularContainerActions {
  /** Number of running containers that keep running. */
  readonly kept: number;
  readonly toStart: readonly number[];
  readonly toKill: readonly ContainerKill[];
}

/**
 * Decides which regular containers to start and to kill. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions, loop over the containers.
 */
export function computeRegularContainerActions(
  pod: Pod,
  status: RuntimePodStatus,
  probes: Pick<ProbeResults, 'get'>,
  plan: ResizePlan,
): RegularContainerActions {
  const toStart: number[] = [];
  const toKill: ContainerKill[] = [];
  let kept = 0;
  for (const [index, container] of pod.spec.containers.entries()) {
    const record = newestRecord(status, container.name);
    if (record?.state === 'running') {
      const fault = faultOf(pod, container, record, probes);
      if (fault === undefined) {
        if (plan.keeps(container, record.id)) {
          kept++;
          continue;
        }
        toKill.push({
          container,
          containerId: record.id,
          message: `Container ${container.name} resize requires restart`,
          reason: 'other',
        });
        toStart.push(index);
        continue;
      }
      const message = fault.restart ? `${fault.message}, will be restarted` : fault.message;
      toKill.push({ container, containerId: record.id, message, reason: fault.reason });
      if (fault.restart) toStart.push(index);
    } else if (shouldContainerBeStarted(pod, container, newestRecord(status, container.name))) {
      toStart.push(index);
      // It may still run, and one stop too many is better than two instances.
      if (record?.state === 'unknown') {
        const message = 'Container is in "unknown" state, try killing it before restart';
        toKill.push({ container, containerId: record.id, message, reason: 'other' });
      }
    }
  }
  return { kept, toStart, toKill };
}

interface Fault {
  readonly message: string;
  readonly reason: KillReason;
  readonly restart: boolean;
}

function faultOf(
  pod: Pod,
  container: Container,
  record: RuntimeContainerStatus,
  probes: Pick<ProbeResults, 'get'>,
): Fault | undefined {
  const { name } = container;
  // A changed definition replaces the container, whatever the restart policy.
  if (containerHash(container) !== record.hash) {
    return { message: `Container ${name} definition changed`, reason: 'other', restart: true };
  }
  const restart = restartPolicyOf(pod, container) !== 'Never';
  if (probes.get('liveness', record.id) === 'failure') {
    return { message: `Container ${name} failed liveness probe`, reason: 'liveness-probe', restart };
  }
  if (probes.get('startup', record.id) === 'failure') {
    return { message: `Container ${name} failed startup probe`, reason: 'startup-probe', restart };
  }
  return undefined;
}
