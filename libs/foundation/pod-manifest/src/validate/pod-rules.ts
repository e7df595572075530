/** Which newer fields and older forms a pod may have. Source: kubernetes v1.36 pkg/api/pod/util.go. */
export interface PodRules {
  /** Gate ContainerRestartRules: containers may have a restart policy and restart rules of their own. */
  readonly containerRestartRules: boolean;
  /** Gate RestartAllContainersOnContainerExits: a restart rule may restart all containers. */
  readonly restartAllContainers: boolean;
  /** Gate EnvFiles: only changes the words about a variable without a source. */
  readonly envFiles: boolean;
  /** Gate StrictIPCIDRValidation: addresses have no leading zeros and are not IPv4 in an IPv6 form. */
  readonly strictIps: boolean;
  /** Gate UserNamespacesHostNetworkSupport: a pod on the host network may have its own user namespace. */
  readonly userNamespacesHostNetwork: boolean;
  /** Gate PodLevelResources: `spec.resources` gets defaults and is checked; without it, admission refuses such a pod. */
  readonly podLevelResources: boolean;
  /** Gate TaintTolerationComparisonOperators: tolerations may have the operators `Lt` and `Gt`. */
  readonly tolerationComparisons: boolean;
  /** Gate PodDeletionCost: the annotation of that name is checked. */
  readonly podDeletionCost: boolean;
  /**
   * Gates MatchLabelKeysInPodTopologySpread and MatchLabelKeysInPodTopologySpreadSelectorMerge: a selector may name the
   * label keys of its constraint once.
   */
  readonly mergedLabelKeys: boolean;
  /** Gate SELinuxMount: `seLinuxChangePolicy` may be `MountOption`. */
  readonly seLinuxMount: boolean;
}

/** The rules with all gates at their defaults. */
export const defaultPodRules: PodRules = {
  containerRestartRules: true,
  restartAllContainers: true,
  envFiles: true,
  strictIps: true,
  userNamespacesHostNetwork: false,
  podLevelResources: true,
  tolerationComparisons: false,
  podDeletionCost: true,
  mergedLabelKeys: true,
  seLinuxMount: false,
};
