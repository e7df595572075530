import type { Toleration } from '@podwright/kube-types';
import { asPod } from '../strategies/pod-strategy.js';
import type { AdmissionPlugin } from './admission.js';
import { createsPod } from './admission.js';

const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const tolerationSeconds = 300;

/**
 * Lets pods stay on a lost node for 5 minutes. Source: kubernetes v1.36 plugin/pkg/admission/defaulttolerationseconds.
 */
export const admitDefaultTolerations: AdmissionPlugin = (request) => {
  const { object } = request;
  if (!createsPod(request) || object === undefined) return undefined;
  const { spec } = asPod(object);
  const given = spec.tolerations ?? [];
  const missing = keys.filter((key) => !given.some((toleration) => tolerates(toleration, key)));
  if (missing.length === 0) return undefined;
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }));
  return { ...object, spec: { ...spec, tolerations: [...given, ...added] } };
};

function tolerates({ key, effect }: Toleration, wanted: string): boolean {
  return (!key || key === wanted) && (!effect || effect === 'NoExecute');
}
