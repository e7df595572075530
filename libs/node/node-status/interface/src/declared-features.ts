import { deepEqual, isSidecar, type Container, type Pod } from '@podwright/kube-types';

/** What decides whether the node declares a feature. */
export interface DeclaredFeatureFacts {
  readonly enabled: (featureGate: string) => boolean;
  readonly cpuManagerPolicy: string;
  /** Whether the runtime can put pods of the host network into a user namespace. */
  readonly userNamespacesHostNetwork: boolean;
}

interface DeclaredFeature {
  readonly name: string;
  readonly declared: (facts: DeclaredFeatureFacts) => boolean;
  /** Whether a pod can run only where the feature is declared; absent when it matters for updates or not at all. */
  readonly neededBy?: (pod: Pod) => boolean;
  /** Whether a change of a pod has an effect only where the feature is declared. */
  readonly neededByUpdate?: (before: Pod, after: Pod) => boolean;
}

const restartsAll = ({ restartPolicyRules }: Container): boolean =>
  restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers') ?? false;

// Sorted by name, as the node shows them.
const features: readonly DeclaredFeature[] = [
  { name: 'ExtendWebSocketsToKubelet', declared: ({ enabled }) => enabled('ExtendWebSocketsToKubelet') },
  {
    name: 'GuaranteedQoSPodCPUResize',
    declared: ({ enabled, cpuManagerPolicy }) =>
      enabled('InPlacePodVerticalScalingExclusiveCPUs') && cpuManagerPolicy === 'static',
  },
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
 * Names for `status.declaredFeatures`, sorted; empty when the gate NodeDeclaredFeatures is off. Source: kubernetes v1.36
 * staging/src/k8s.io/component-helpers/nodedeclaredfeatures.
 */
export function declaredFeatures(facts: DeclaredFeatureFacts): readonly string[] {
  if (!facts.enabled('NodeDeclaredFeatures')) return [];
  return features.filter(({ declared }) => declared(facts)).map(({ name }) => name);
}

/** The feature gates that {@link declaredFeatures} asks for. */
export const declaredFeatureGates: readonly string[] = [
  'NodeDeclaredFeatures',
  'ExtendWebSocketsToKubelet',
  'InPlacePodVerticalScalingExclusiveCPUs',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
  'UserNamespacesHostNetworkSupport',
];

/** Features without which the pod cannot run here, sorted. Source: as {@link declaredFeatures}, InferForPodScheduling. */
export function requiredFeatures(pod: Pod): readonly string[] {
  return features.filter(({ neededBy }) => neededBy?.(pod) ?? false).map(({ name }) => name);
}

/** Features without which what changed in the pod has no effect here, sorted. Source: as {@link declaredFeatures}, InferForPodUpdate. */
export function requiredFeaturesOfUpdate(before: Pod, after: Pod): readonly string[] {
  return features.filter(({ neededByUpdate }) => neededByUpdate?.(before, after) ?? false).map(({ name }) => name);
}
