import type { ApiObject } from '../api-object.js';
import { badRequest } from '../status/api-error.js';
import { qualified, type GroupResource } from '../group-resource.js';

type FieldOf = (object: ApiObject) => string;

/** The field at a dotted path, as text; `zero` when it is absent. */
const at =
  (path: string, zero = ''): FieldOf =>
  (object) => {
    const value = path
      .split('.')
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], object);
    return typeof value === 'object' || value === undefined ? zero : String(value as string);
  };

const fields = (paths: string, special: Readonly<Record<string, FieldOf>> = {}): Readonly<Record<string, FieldOf>> => ({
  ...Object.fromEntries(paths.split(' ').map((path) => [path, at(path)])),
  ...special,
});

const phaseOrPending: FieldOf = (object) => at('status.phase')(object);

/**
 * The selectable fields of each resource, besides name and namespace. Source: kubernetes v1.36 pkg/apis,
 * addFieldLabelConversions of each group.
 */
const selectable: Readonly<Record<string, Readonly<Record<string, FieldOf>>>> = {
  pods: fields(
    'spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName status.podIP status.nominatedNodeName',
    { 'status.phase': phaseOrPending, 'spec.hostNetwork': at('spec.hostNetwork', 'false'), 'status.podIPs': podIps },
  ),
  nodes: { 'spec.unschedulable': at('spec.unschedulable', 'false') },
  events: fields(
    'involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid involvedObject.apiVersion ' +
      'involvedObject.resourceVersion involvedObject.fieldPath reason type',
    {
      reportingComponent: at('reportingComponent'),
      source: (object) => at('source.component')(object) || at('reportingComponent')(object),
    },
  ),
  secrets: fields('type'),
  namespaces: fields('status.phase'),
  services: fields('spec.clusterIP spec.type'),
  replicationcontrollers: { 'status.replicas': at('status.replicas', '0') },
  'replicasets.apps': { 'status.replicas': at('status.replicas', '0') },
  'jobs.batch': { 'status.successful': at('status.succeeded', '0') },
  'certificatesigningrequests.certificates.k8s.io': fields('spec.signerName'),
  'clustertrustbundles.certificates.k8s.io': fields('spec.signerName'),
  'podcertificaterequests.certificates.k8s.io': fields('spec.signerName spec.nodeName'),
  'resourceslices.resource.k8s.io': fields('spec.nodeName spec.driver'),
};

const metadataFields: Readonly<Record<string, FieldOf>> = fields('metadata.name metadata.namespace');

/**
 * Returns a function that reads a selectable field. @throws ApiError 400 in the real server's words for other fields.
 */
export function selectableField(resource: GroupResource, field: string): FieldOf {
  const own = selectable[qualified(resource)];
  const found = { ...own, ...metadataFields };
  if (Object.hasOwn(found, field)) return found[field] as FieldOf;
  if (own !== undefined) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function podIps(object: ApiObject): string {
  const status = object.status as { readonly podIPs?: readonly { readonly ip: string }[] } | undefined;
  return (status?.podIPs ?? []).map(({ ip }) => ip).join(',');
}
