import type { ConfigMap, CoreEvent, Node, Secret } from '@podwright/kube-types';
import type { Resource } from '../../client/resources.js';
import { age } from '../human-duration.js';
import type { TableColumns } from '../table.js';
import { podColumns } from './pod-columns.js';

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go. */
const configMapColumns: TableColumns = {
  names: ['Name', 'Data', 'Age'],
  wide: [],
  cells: (object, nowMs) => {
    const { metadata, data = {}, binaryData = {} } = object as unknown as ConfigMap;
    const entries = Object.keys(data).length + Object.keys(binaryData).length;
    return [metadata?.name ?? '', String(entries), age(metadata?.creationTimestamp, nowMs)];
  },
};

const secretColumns: TableColumns = {
  names: ['Name', 'Type', 'Data', 'Age'],
  wide: [],
  cells: (object, nowMs) => {
    const { metadata, type = '', data = {} } = object as unknown as Secret;
    return [metadata?.name ?? '', type, String(Object.keys(data).length), age(metadata?.creationTimestamp, nowMs)];
  },
};

const nodeColumns: TableColumns = {
  names: ['Name', 'Status', 'Roles', 'Age', 'Version'],
  wide: ['Internal-IP', 'External-IP', 'OS-Image', 'Kernel-Version', 'Container-Runtime'],
  cells: (object, nowMs) => {
    const { metadata, spec, status } = object as unknown as Node;
    const info = status?.nodeInfo;
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const words = [ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'];
    if (spec?.unschedulable === true) words.push('SchedulingDisabled');
    const address = (type: string): string =>
      status?.addresses?.find((candidate) => candidate.type === type)?.address ?? '<none>';
    const architecture = (info?.architecture ?? '') === '' ? '' : ` (${info?.architecture ?? ''})`;
    return [
      metadata?.name ?? '',
      words.join(','),
      nodeRoles(metadata?.labels).join(',') || '<none>',
      age(metadata?.creationTimestamp, nowMs),
      info?.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info?.osImage || '<unknown>',
      `${info?.kernelVersion || '<unknown>'}${architecture}`,
      info?.containerRuntimeVersion || '<unknown>',
    ];
  },
};

/** The roles that labels give a node, sorted. */
export function nodeRoles(labels: Readonly<Record<string, string>> = {}): readonly string[] {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(prefix)) return [key.slice(prefix.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort();
}

const eventColumns: TableColumns = {
  names: ['Last Seen', 'Type', 'Reason', 'Object', 'Message'],
  wide: [],
  cells: (object, nowMs) => {
    const event = object as unknown as CoreEvent;
    const { involvedObject: target, series } = event;
    const lastSeen = series?.lastObservedTime ?? event.lastTimestamp ?? event.firstTimestamp ?? event.eventTime;
    const kind = (target.kind ?? '').toLowerCase();
    return [
      age(lastSeen, nowMs),
      event.type ?? '',
      event.reason ?? '',
      (target.name ?? '') === '' ? kind : `${kind}/${target.name ?? ''}`,
      (event.message ?? '').trim(),
    ];
  },
};

const columns: Readonly<Record<Resource['plural'], TableColumns>> = {
  pods: podColumns,
  configmaps: configMapColumns,
  secrets: secretColumns,
  nodes: nodeColumns,
  events: eventColumns,
};

export function columnsOf({ plural }: Resource): TableColumns {
  return columns[plural];
}
