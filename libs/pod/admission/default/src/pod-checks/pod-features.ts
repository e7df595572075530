import { hasPodLevelResources, type Pod, requiredFeatures } from '@podwright/kube-types';
import { refusal, type Refusal } from '../refusal.js';

/**
 * Rejects a pod that uses features which are switched off. Source: kubernetes v1.36
 * pkg/kubelet/lifecycle/features_linux.go.
 */
export function checkPodFeatures(pod: Pod, podLevelResources: boolean): Refusal | undefined {
  if (podLevelResources || !hasPodLevelResources(pod)) return undefined;
  return refusal('PodLevelResourcesNotSupported', 'PodLevelResources feature gate is disabled');
}

/**
 * Rejects a pod that needs features which the node does not declare. Source: kubernetes v1.36
 * pkg/kubelet/lifecycle/handlers.go declaredFeaturesAdmitHandler.
 */
export function checkDeclaredFeatures(pod: Pod, declared: readonly string[]): Refusal | undefined {
  const missing = requiredFeatures(pod).filter((feature) => !declared.includes(feature));
  if (missing.length === 0) return undefined;
  return refusal('PodFeatureUnsupported', `Pod requires node features that are not available: ${missing.join(', ')}`);
}
