import type { ApiObject } from '@podwright/api-machinery';
import { asPod } from '../strategies/pod-strategy.js';
import { createsPod, refused, type AdmissionPlugin } from './admission.js';

interface PriorityClass extends ApiObject {
  readonly value: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

const classes = 'priorityclasses.scheduling.k8s.io';

/** Sets a pod's priority from its class. Source: kubernetes v1.36 plugin/pkg/admission/priority/admission.go. */
export const admitPriority: AdmissionPlugin = (request, { store }) => {
  const { object } = request;
  if (!createsPod(request) || object === undefined) return undefined;
  const { spec } = asPod(object);
  const name = spec.priorityClassName;
  const known = [...store.values(classes)] as PriorityClass[];
  const found = name
    ? known.find(({ metadata }) => metadata.name === name)
    : known.filter(({ globalDefault }) => globalDefault === true).sort((left, right) => left.value - right.value)[0];
  if (name && found === undefined) throw refused(request, `no PriorityClass with name ${name} was found`);
  const priority = found?.value ?? 0;
  const preemptionPolicy = found?.preemptionPolicy ?? 'PreemptLowerPriority';
  if (spec.priority !== undefined && spec.priority !== priority) {
    throw refused(
      request,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw refused(
      request,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  }
  const className = found?.metadata.name ?? '';
  return {
    ...object,
    spec: { ...spec, priority, preemptionPolicy, ...(className !== '' && { priorityClassName: className }) },
  };
};
