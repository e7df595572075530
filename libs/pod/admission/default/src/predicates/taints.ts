import type { Node, Pod, Toleration } from '@podwright/kube-types';

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

/**
 * Whether the pod tolerates every NoExecute taint of the node; other effects concern only the scheduler. `comparisons`:
 * operators Gt and Lt are enabled. Source: kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go generalFilter.
 */
export function toleratesNode(pod: Pod, node: Node, comparisons: boolean): boolean {
  const tolerations = pod.spec.tolerations ?? [];
  return (node.spec?.taints ?? [])
    .filter(({ effect }) => effect === 'NoExecute')
    .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint, comparisons)));
}

/** Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1/toleration.go ToleratesTaint. */
export function tolerates(toleration: Toleration, taint: Taint, comparisons: boolean): boolean {
  const { effect = '', key = '', operator = '', value = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  switch (operator) {
    case '':
    case 'Equal':
      return value === (taint.value ?? '');
    case 'Exists':
      return true;
    case 'Lt':
    case 'Gt': {
      const [limit, actual] = [decimal(value), decimal(taint.value ?? '')];
      if (!comparisons || limit === undefined || actual === undefined) return false;
      return operator === 'Lt' ? actual < limit : actual > limit;
    }
    default:
      return false;
  }
}

const maxInteger = 2n ** 63n - 1n;

// As upstream, no leading zeros and no plus sign.
function decimal(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value <= maxInteger && value >= -maxInteger - 1n ? value : undefined;
}
