import type { Pod } from '@podwright/kube-types';
import { isSidecar } from '@podwright/kube-types';
import { age } from '../human-duration.js';
import type { TableColumns } from '../table.js';
import { podSummary } from './pod-summary.js';

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go printPod. */
export const podColumns: TableColumns = {
  names: ['Name', 'Ready', 'Status', 'Restarts', 'Age'],
  wide: ['IP', 'Node', 'Nominated Node', 'Readiness Gates'],
  cells: (object, nowMs) => {
    const pod = object as unknown as Pod;
    const { ready, reason, restarts, lastRestart } = podSummary(pod);
    const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar).length;
    const ago = restarts !== 0 && lastRestart !== undefined ? ` (${age(lastRestart, nowMs)} ago)` : '';
    return [
      pod.metadata.name ?? '',
      `${ready}/${pod.spec.containers.length + sidecars}`,
      reason,
      `${restarts}${ago}`,
      // A static pod has no time of creation; the kubelet knows since when it has it.
      age(pod.metadata.creationTimestamp ?? pod.status?.startTime, nowMs),
      pod.status?.podIPs?.[0]?.ip ?? '<none>',
      orNone(pod.spec.nodeName),
      orNone(pod.status?.nominatedNodeName),
      readinessGates(pod),
    ];
  },
};

const orNone = (text: string | undefined): string => (text === undefined || text === '' ? '<none>' : text);

function readinessGates({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const met = gates.filter(
    ({ conditionType }) => status?.conditions?.find(({ type }) => type === conditionType)?.status === 'True',
  );
  return `${met.length}/${gates.length}`;
}
