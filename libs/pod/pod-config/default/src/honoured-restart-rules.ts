import {
  isSidecar,
  requiredFeatures,
  type Container,
  type Pod,
  type RestartableContainer,
} from '@podwright/kube-types';
import type { PodRules } from '@podwright/pod-manifest';

export interface RestartRuleGates extends Pick<PodRules, 'containerRestartRules' | 'restartAllContainers'> {
  /** Whether admission refuses pods that need a feature which the node does not declare. */
  readonly nodeDeclaredFeatures: boolean;
}

/**
 * The pod without the restart rules that a disabled gate takes the effect from, so that no manager has to ask. Returns
 * the same object for the same pod, and the pod itself when it has none.
 *
 * Without `containerRestartRules`, only the pod's policy counts, and `Always` of an init container. Without
 * `restartAllContainers`, a rule with that action leaves the decision to the container's own policy; with
 * `nodeDeclaredFeatures` such a pod stays as it is, because admission has to see the rule to refuse it. Source: kubernetes
 * v1.36 pkg/api/v1/pod/util.go ContainerShouldRestart and its callers.
 */
export function honouredRestartRules(gates: RestartRuleGates): (pod: Pod) => Pod {
  if (gates.containerRestartRules && gates.restartAllContainers) return (pod) => pod;
  const known = new WeakMap<Pod, Pod>();
  return (pod) => {
    let honoured = known.get(pod);
    if (honoured === undefined) known.set(pod, (honoured = honouredPod(pod, gates)));
    return honoured;
  };
}

const restartAll = 'RestartAllContainersOnContainerExits';

function honouredPod(pod: Pod, gates: RestartRuleGates): Pod {
  const { containers, initContainers } = pod.spec;
  if (![...containers, ...(initContainers ?? [])].some(hasOwnPolicy)) return pod;
  if (gates.nodeDeclaredFeatures && !gates.restartAllContainers && requiredFeatures(pod).includes(restartAll))
    return pod;
  const honour = gates.containerRestartRules ? withoutRestartAll : undefined;
  const spec = {
    ...pod.spec,
    containers: containers.map(honour ?? withoutPolicy),
    ...(initContainers !== undefined && {
      initContainers: initContainers.map(
        honour ?? ((one) => (isSidecar(one) ? withoutRules(one) : withoutPolicy(one))),
      ),
    }),
  };
  return { ...pod, spec };
}

const hasOwnPolicy = ({ restartPolicy, restartPolicyRules }: RestartableContainer): boolean =>
  restartPolicy !== undefined || restartPolicyRules !== undefined;

function withoutRules(container: Container): Container {
  const { restartPolicyRules: _, ...rest } = container as Container & RestartableContainer;
  return rest;
}

function withoutPolicy(container: Container): Container {
  const { restartPolicy: _, ...rest } = withoutRules(container);
  return rest;
}

function withoutRestartAll(container: Container): Container {
  const { restartPolicyRules: rules } = container as RestartableContainer;
  if (rules === undefined) return container;
  // The rule stays, because a rule that matches keeps the later ones from matching.
  const honoured = rules.map((rule) => (rule.action === 'RestartAllContainers' ? { ...rule, action: '' } : rule));
  return { ...container, restartPolicyRules: honoured } as Container;
}
