import { ageOf } from './human-duration.js';
import { columns, labelsText, none, type TablePrinter } from './table-printer.js';

interface ServiceLike {
  readonly metadata: { readonly name?: string; readonly creationTimestamp?: string };
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly { readonly port: number; readonly nodePort?: number; readonly protocol?: string }[];
  };
}

/** The table of services. Source: kubernetes v1.36 pkg/printers/internalversion/printers.go printService. */
export const servicePrinter: TablePrinter = {
  columns: columns('Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', '+Selector'),
  cells: (object, nowMs) => {
    const { metadata, spec = {} } = object as unknown as ServiceLike;
    return [
      metadata.name ?? '',
      spec.type ?? 'ClusterIP',
      spec.clusterIPs?.[0] ?? (spec.clusterIP === undefined || spec.clusterIP === '' ? none : spec.clusterIP),
      externalText(spec),
      portsText(spec.ports ?? []),
      ageOf(metadata.creationTimestamp, nowMs),
      labelsText(spec.selector),
    ];
  },
};

function externalText({ type, externalIPs = [], externalName = '' }: NonNullable<ServiceLike['spec']>): string {
  if (type === 'ExternalName') return externalName;
  if (externalIPs.length > 0) return externalIPs.join(',');
  return type === 'LoadBalancer' ? '<pending>' : none;
}

function portsText(ports: NonNullable<NonNullable<ServiceLike['spec']>['ports']>): string {
  if (ports.length === 0) return none;
  return ports
    .map(({ port, nodePort = 0, protocol = 'TCP' }) => `${port}${nodePort > 0 ? `:${nodePort}` : ''}/${protocol}`)
    .join(',');
}
