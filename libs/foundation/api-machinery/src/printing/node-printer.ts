import type { Node } from '@podwright/kube-types';
import { ageOf } from './human-duration.js';
import { columns, none, type TablePrinter } from './table-printer.js';

const roleLabel = 'node-role.kubernetes.io/';

/** The table of nodes. Source: kubernetes v1.36 pkg/printers/internalversion/printers.go printNode. */
export const nodePrinter: TablePrinter = {
  columns: columns(
    'Name',
    'Status',
    'Roles',
    'Age',
    'Version',
    '+Internal-IP',
    '+External-IP',
    '+OS-Image',
    '+Kernel-Version',
    '+Container-Runtime',
  ),
  cells: (object, nowMs) => {
    const { metadata, spec, status } = object as unknown as Node;
    const info = status?.nodeInfo;
    const address = (kind: string): string => status?.addresses?.find(({ type }) => type === kind)?.address ?? none;
    return [
      metadata?.name ?? '',
      statusText(status?.conditions ?? [], spec?.unschedulable === true),
      rolesText(metadata?.labels ?? {}),
      ageOf(metadata?.creationTimestamp as string | undefined, nowMs),
      info?.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      or(info?.osImage, '<unknown>'),
      or(info?.kernelVersion, '<unknown>'),
      or(info?.containerRuntimeVersion, '<unknown>'),
    ];
  },
};

function statusText(
  conditions: readonly { readonly type: string; readonly status: string }[],
  cordoned: boolean,
): string {
  const ready = conditions.find(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return cordoned ? `${word},SchedulingDisabled` : word;
}

function rolesText(labels: Readonly<Record<string, string>>): string {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(roleLabel) && key !== roleLabel) return [key.slice(roleLabel.length)];
    return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
  });
  return roles.length === 0 ? none : [...new Set(roles)].sort().join(',');
}

function or(text: string | undefined, instead: string): string {
  return text === undefined || text === '' ? instead : text;
}
