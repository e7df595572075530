import { deepEqual } from '../deep-equal.js';
import type { Container, Pod } from '../objects.js';
import { isSidecar } from '../pod/restart-policy.js';

/** The facts about a node that decide which features it declares. */
export interface DeclaredFeatureFacts {
  readonly enabled: (featureGate: string) => boolean;
  /** Whether the runtime can run pods with `hostNetwork` in a user namespace. */
  readonly userNamespacesHostNetwork: boolean;
}

interface DeclaredFeature {
  readonly name: string;
  readonly declared: (facts: DeclaredFeatureFacts) => boolean;
  /** Whether the pod can run only on a node that declares the feature. Absent: no pod needs it to run. */
  readonly neededBy?: (pod: Pod) => boolean;
  /**
   * Whether the update of the pod has an effect only on a node that declares the feature. Absent: no update needs it.
   */
  readonly neededByUpdate?: (before: Pod, after: Pod) => boolean;
}

const restartsAll = ({ restartPolicyRules }: Container): boolean =>
  restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers') ?? false;

// Sorted by name, as in the node's status.
const features: readonly DeclaredFeature[] = [
  { name: 'ExtendWebSocketsToKubelet', declared: ({ enabled }) => enabled('ExtendWebSocketsToKubelet') },
  {
    name: 'InPlacePodLevelResourcesVerticalScaling',
    declared: ({ enabled }) => enabled('InPlacePodLevelResourcesVerticalScaling'),
    neededByUpdate: (before, after) => !deepEqual(before.spec.resources, after.spec.resources),
  },
  {
    name: 'InPlacePodVerticalScalingInitContainers',
    declared: ({ enabled }) => enabled('InPlacePodVerticalScalingInitContainers'),
    neededByUpdate: (before, after) =>
      (before.spec.initContainers ?? []).some(
        (container, index) =>
          !isSidecar(container) && !deepEqual(container.resources, after.spec.initContainers?.[index]?.resources),
      ),
  },
  {
    name: 'RestartAllContainersOnContainerExits',
    declared: ({ enabled }) => enabled('RestartAllContainersOnContainerExits'),
    neededBy: ({ spec }) => [...spec.containers, ...(spec.initContainers ?? [])].some(restartsAll),
  },
  {
    name: 'UserNamespacesHostNetworkSupport',
    declared: ({ enabled, userNamespacesHostNetwork }) =>
      enabled('UserNamespacesHostNetworkSupport') && userNamespacesHostNetwork,
    neededBy: ({ spec }) => spec.hostNetwork === true && spec.hostUsers === false,
  },
];

/**
 * The names for the node's `status.declaredFeatures`, sorted; empty when the gate NodeDeclaredFeatures is off.
 * Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/nodedeclaredfeatures.
 */
export function declaredFeatures(facts: DeclaredFeatureFacts): readonly string[] {
  if (!facts.enabled('NodeDeclaredFeatures')) return [];
  return features.filter(({ declared }) => declared(facts)).map(({ name }) => name);
}

/** The feature gates that {@link declaredFeatures} reads. */
export const declaredFeatureGates: readonly string[] = [
  'NodeDeclaredFeatures',
  'ExtendWebSocketsToKubelet',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
  'UserNamespacesHostNetworkSupport',
];

/**
 * The features that a node must declare to run the pod, sorted. Source: as {@link declaredFeatures},
 * InferForPodScheduling.
 */
export function requiredFeatures(pod: Pod): readonly string[] {
  return features.filter(({ neededBy }) => neededBy?.(pod) ?? false).map(({ name }) => name);
}

/**
 * The features that a node must declare for the update of the pod to have an effect, sorted.
 * Source: as {@link declaredFeatures}, InferForPodUpdate.
 */
export function requiredFeaturesOfUpdate(before: Pod, after: Pod): readonly string[] {
  return features.filter(({ neededByUpdate }) => neededByUpdate?.(before, after) ?? false).map(({ name }) => name);
}
