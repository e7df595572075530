import type { ApiObject } from '../api-object.js';
import { qualified, type GroupResource } from '../group-resource.js';
import { ageOf } from './human-duration.js';
import { nodePrinter } from './node-printer.js';
import { podPrinter } from './pod-printer.js';
import { servicePrinter } from './service-printer.js';
import { columns, none, type Cell, type TablePrinter } from './table-printer.js';

/** The field at a path; undefined when a part of the path is missing. */
const at = (object: ApiObject, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], object);
const text = (object: ApiObject, path: string): string => String((at(object, path) ?? '') as string);
const size = (object: ApiObject, path: string): number => Object.keys(at(object, path) ?? {}).length;
const age = (object: ApiObject, nowMs: number): string => ageOf(text(object, 'metadata.creationTimestamp'), nowMs);

type Value = (object: ApiObject, nowMs: number) => Cell;
const name: Value = (object) => object.metadata.name ?? '';

/** Makes a printer of pairs of column and cell value. */
function printer(...cells: readonly (readonly [string, Value])[]): TablePrinter {
  return {
    columns: columns(...cells.map(([column]) => column)),
    cells: (object, nowMs) => cells.map(([, value]) => value(object, nowMs)),
  };
}

const created: readonly [string, Value] = ['Created At', (object) => text(object, 'metadata.creationTimestamp')];

const subjects =
  (kind: string): Value =>
  (object) =>
    ((object.subjects ?? []) as readonly { kind: string; name: string; namespace?: string }[])
      .filter((subject) => subject.kind === kind)
      .map((subject) => (kind === 'ServiceAccount' ? `${subject.namespace ?? ''}/${subject.name}` : subject.name))
      .join(', ');

const bindings = printer(
  ['Name', name],
  ['Role', (object) => `${text(object, 'roleRef.kind')}/${text(object, 'roleRef.name')}`],
  ['Age', age],
  ['+Users', subjects('User')],
  ['+Groups', subjects('Group')],
  ['+ServiceAccounts', subjects('ServiceAccount')],
);

const roles = printer(['Name', name], [created[0] + ':date', created[1]]);

const printers: Readonly<Record<string, TablePrinter>> = {
  pods: podPrinter,
  nodes: nodePrinter,
  services: servicePrinter,
  secrets: printer(['Name', name], ['Type', (o) => text(o, 'type')], ['Data', (o) => size(o, 'data')], ['Age', age]),
  configmaps: printer(['Name', name], ['Data', (o) => size(o, 'data') + size(o, 'binaryData')], ['Age', age]),
  namespaces: printer(['Name', name], ['Status', (o) => text(o, 'status.phase')], ['Age', age]),
  events: printer(
    ['Last Seen', lastSeen],
    ['Type', (o) => text(o, 'type')],
    ['Reason', (o) => text(o, 'reason')],
    ['Object', (o) => `${text(o, 'involvedObject.kind').toLowerCase()}/${text(o, 'involvedObject.name')}`],
    ['+Subobject', (o) => text(o, 'involvedObject.fieldPath')],
    ['+Source', eventSource],
    ['Message', (o) => text(o, 'message').trim()],
    ['+First Seen', firstSeen],
    ['+Count', (o) => Number(at(o, 'series.count') ?? (at(o, 'count') || 1))],
    ['+Name', name],
  ),
  'leases.coordination.k8s.io': printer(
    ['Name', name],
    ['Holder', (o) => text(o, 'spec.holderIdentity')],
    ['Age', age],
  ),
  'certificatesigningrequests.certificates.k8s.io': printer(
    ['Name', name],
    ['Age', age],
    ['SignerName', (o) => text(o, 'spec.signerName') || none],
    ['Requestor', (o) => text(o, 'spec.username')],
    ['RequestedDuration', requestedDuration],
    ['Condition', csrCondition],
  ),
  'runtimeclasses.node.k8s.io': printer(['Name', name], ['Handler', (o) => text(o, 'handler')], ['Age', age]),
  'clustertrustbundles.certificates.k8s.io': printer(['Name', name], ['SignerName', (o) => text(o, 'spec.signerName')]),
  'clusterroles.rbac.authorization.k8s.io': roles,
  'roles.rbac.authorization.k8s.io': roles,
  'clusterrolebindings.rbac.authorization.k8s.io': bindings,
  'rolebindings.rbac.authorization.k8s.io': bindings,
  'csinodes.storage.k8s.io': printer(
    ['Name', name],
    ['Drivers:integer', (o) => ((at(o, 'spec.drivers') ?? []) as readonly unknown[]).length],
    ['Age', age],
  ),
  'priorityclasses.scheduling.k8s.io': printer(
    ['Name', name],
    ['Value:integer', (o) => Number(at(o, 'value') ?? 0)],
    ['Global-Default:boolean', (o) => at(o, 'globalDefault') === true],
    ['Age', age],
    ['PreemptionPolicy', (o) => text(o, 'preemptionPolicy')],
  ),
};

const nameAndAge = printer(['Name', name], ['Age', age]);

/**
 * The table of a resource, as in kubernetes v1.36 pkg/printers/internalversion/printers.go; by default name and age.
 */
export function printerOf(resource: GroupResource): TablePrinter {
  return printers[qualified(resource)] ?? nameAndAge;
}

function lastSeen(event: ApiObject, nowMs: number): string {
  const last = text(event, 'series.lastObservedTime') || text(event, 'lastTimestamp');
  return last === '' ? firstSeen(event, nowMs) : ageOf(last, nowMs);
}

function firstSeen(event: ApiObject, nowMs: number): string {
  return ageOf(text(event, 'firstTimestamp') || text(event, 'eventTime'), nowMs);
}

function eventSource(event: ApiObject): string {
  const component = text(event, 'source.component') || text(event, 'reportingComponent');
  const host =
    text(event, 'source.host') || (text(event, 'source.component') === '' ? text(event, 'reportingInstance') : '');
  return host === '' ? component : `${component}, ${host}`;
}

function requestedDuration(csr: ApiObject): string {
  const seconds = at(csr, 'spec.expirationSeconds');
  return typeof seconds === 'number' ? ageOf(new Date(0).toISOString(), seconds * 1_000) : none;
}

function csrCondition(csr: ApiObject): string {
  const conditions = ((at(csr, 'status.conditions') ?? []) as readonly { readonly type: string }[]).map(
    ({ type }) => type,
  );
  const decided = ['Denied', 'Approved'].find((type) => conditions.includes(type)) ?? 'Pending';
  const failed = conditions.includes('Failed') ? ',Failed' : '';
  return decided + failed + (text(csr, 'status.certificate') === '' ? '' : ',Issued');
}
