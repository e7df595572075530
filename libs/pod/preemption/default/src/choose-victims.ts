import { isCriticalPod, podQosClass, type Pod, type QosClass } from '@podwright/kube-types';
import { KubeletError } from '@podwright/errors';
import { distance, formatRequirements, podRequest, subtract, type Requirements } from './requirements.js';

/**
 * Chooses the pods to evict, in order: as few Guaranteed ones as possible, then as few Burstable ones, then as few of
 * the rest. Throws `failed-precondition` when all of them together are not enough. Pure. Source: kubernetes v1.36
 * pkg/kubelet/preemption/preemption.go getPodsToPreempt.
 */
export function chooseVictims(preemptor: Pod, pods: readonly Pod[], requirements: Requirements): readonly Pod[] {
  const candidates = pods.filter((pod) => isPreemptable(preemptor, pod));
  const of = (wanted: QosClass): readonly Pod[] => candidates.filter((pod) => podQosClass(pod) === wanted);
  const [bestEffort, burstable, guaranteed] = [of('BestEffort'), of('Burstable'), of('Guaranteed')];
  const unmet = subtract(requirements, [...bestEffort, ...burstable, ...guaranteed]);
  if (unmet.length > 0) throw nothingFound(unmet);
  const guaranteedVictims = nearest(guaranteed, subtract(requirements, [...bestEffort, ...burstable]));
  const burstableVictims = nearest(burstable, subtract(requirements, [...bestEffort, ...guaranteedVictims]));
  const bestEffortVictims = nearest(bestEffort, subtract(requirements, [...burstableVictims, ...guaranteedVictims]));
  return [...bestEffortVictims, ...burstableVictims, ...guaranteedVictims];
}

/** Whether the preemptor may evict the pod. Source: kubernetes v1.36 pkg/kubelet/types/pod_update.go Preemptable. */
export function isPreemptable(preemptor: Pod, victim: Pod): boolean {
  if (isCriticalPod(preemptor) && !isCriticalPod(victim)) return true;
  const [priority, other] = [preemptor.spec.priority, victim.spec.priority];
  return priority !== undefined && other !== undefined && priority > other;
}

// Repeatedly takes the pod that covers most of what is still missing; among equal ones the smaller.
function nearest(pods: readonly Pod[], requirements: Requirements): readonly Pod[] {
  const left = [...pods];
  const chosen: Pod[] = [];
  for (let missing = requirements; missing.length > 0;) {
    const [first, ...others] = left;
    if (first === undefined) throw nothingFound(missing);
    let best = { pod: first, index: 0, distance: distance(missing, first) };
    others.forEach((pod, offset) => {
      const away = distance(missing, pod);
      if (away < best.distance || (away === best.distance && asksForNoMore(pod, best.pod))) {
        best = { pod, index: offset + 1, distance: away };
      }
    });
    missing = subtract(missing, [best.pod]);
    chosen.push(best.pod);
    // As upstream, the last pod moves to the position of the chosen one: the order decides between equal pods.
    const last = left.pop();
    if (last !== undefined && best.index < left.length) left[best.index] = last;
  }
  return chosen;
}

function asksForNoMore(pod: Pod, than: Pod): boolean {
  for (const resource of ['memory', 'cpu']) {
    const [own, other] = [podRequest(pod, resource), podRequest(than, resource)];
    if (own !== other) return own < other;
  }
  return true;
}

function nothingFound(missing: Requirements): KubeletError {
  return new KubeletError(`no set of running pods found to reclaim resources: ${formatRequirements(missing)}`, {
    code: 'failed-precondition',
  });
}
