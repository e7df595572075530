import { hasPodLevelResources, type Pod } from '@podwright/kube-types';
import { requiredFeatures } from '@podwright/node-status-interface';
import { refusal, type Refusal } from '../refusal.js';

/** Source: kubernetes v1.36 pkg/kubelet/lifecycle/features_linux.go. */
export function checkPodFeatures(pod: Pod, podLevelResources: boolean): Refusal | undefined {
  if (podLevelResources || !hasPodLevelResources(pod)) return undefined;
  return refusal('PodLevelResourcesNotSupported', 'PodLevelResources feature gate is disabled');
}

/** Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go declaredFeaturesAdmitHandler. */
export function checkDeclaredFeatures(pod: Pod, declared: readonly string[]): Refusal | undefined {
  const missing = requiredFeatures(pod).filter((feature) => !declared.includes(feature));
  if (missing.length === 0) return undefined;
  return refusal('PodFeatureUnsupported', `Pod requires node features that are not available: ${missing.join(', ')}`);
}
