import type { AdmissionResult } from '@podwright/admission-interface';
import { isCriticalPod, podQosClass, type Pod, type Toleration } from '@podwright/kube-types';
import { evictedReason } from './evicted-status.js';
import type { PressureCondition } from './signals/signal.js';

type Refusal = Exclude<AdmissionResult, { readonly admit: true }>;

/**
 * Returns the rejection, or undefined when the pod may run. Source: kubernetes v1.36
 * pkg/kubelet/eviction/eviction_manager.go Admit.
 */
export function refuseUnderPressure(pod: Pod, conditions: readonly PressureCondition[]): Refusal | undefined {
  if (conditions.length === 0 || isCriticalPod(pod)) return undefined;
  const onlyMemory = conditions.every((condition) => condition === 'MemoryPressure');
  if (onlyMemory && (podQosClass(pod) !== 'BestEffort' || toleratesMemoryPressure(pod))) return undefined;
  const message = `The node had condition: [${conditions.join(' ')}]. `;
  return { admit: false, reason: evictedReason, message };
}

function toleratesMemoryPressure({ spec }: Pod): boolean {
  return (spec.tolerations ?? []).some(tolerates);
}

// The taint has no value, so the comparison operators never match.
function tolerates({ key = '', effect = '', operator = '', value = '' }: Toleration): boolean {
  if (effect !== '' && effect !== 'NoSchedule') return false;
  if (key !== '' && key !== 'node.kubernetes.io/memory-pressure') return false;
  return operator === 'Exists' || ((operator === '' || operator === 'Equal') && value === '');
}
