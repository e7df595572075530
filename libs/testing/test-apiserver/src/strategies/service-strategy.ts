import type { ApiObject } from '@podwright/api-machinery';
import { type Service } from '@podwright/kube-types';
import { FieldErrors } from '@podwright/pod-manifest';
import { statusUpdate } from './generic-strategies.js';
import type { ResourceStrategy } from './resource-strategy.js';

/** Services: sets defaults, and an address in 10.96.0.0/12 where needed. Nothing routes to that address. */
export const serviceStrategy: ResourceStrategy = {
  defaults: (object) => {
    const spec = (object.spec ?? {}) as NonNullable<Service['spec']>;
    return {
      ...object,
      spec: {
        ...spec,
        ports: (spec.ports ?? []).map((port) => ({
          ...port,
          protocol: port.protocol ?? 'TCP',
          targetPort: port.targetPort ?? port.port,
        })),
        sessionAffinity: spec.sessionAffinity ?? 'None',
        type: spec.type ?? 'ClusterIP',
        internalTrafficPolicy: spec.internalTrafficPolicy ?? 'Cluster',
      },
    };
  },
  prepareCreate: (object, { server }) => {
    const spec = object.spec as NonNullable<Service['spec']>;
    const headless = spec.clusterIP === 'None' || spec.type === 'ExternalName';
    const clusterIP = spec.clusterIP ?? freeAddress([...server.store.values('services')]);
    return {
      ...object,
      spec: {
        ...spec,
        ...(spec.type !== 'ExternalName' && { clusterIP, clusterIPs: [clusterIP] }),
        ...(!headless && { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }),
      },
      status: { loadBalancer: {} },
    };
  },
  validateCreate: (object) => {
    const errors = new FieldErrors();
    const { ports = [], clusterIP, type } = object.spec as NonNullable<Service['spec']>;
    if (ports.length === 0 && clusterIP !== 'None' && type !== 'ExternalName') errors.required('spec.ports');
    return errors.list;
  },
  update: { prepare: (next, old) => ({ ...next, spec: withAddress(next, old), status: old.status }) },
  subresources: { status: statusUpdate },
  returnsDeleted: true,
  unconditionalUpdate: true,
};

function withAddress(next: ApiObject, old: ApiObject): unknown {
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = old.spec as NonNullable<Service['spec']>;
  return {
    ...(clusterIP && { clusterIP, clusterIPs }),
    ...(ipFamilies && { ipFamilies, ipFamilyPolicy }),
    ...(next.spec as object),
  };
}

function freeAddress(services: readonly ApiObject[]): string {
  const taken = new Set(services.map(({ spec }) => (spec as Service['spec'])?.clusterIP));
  // The first addresses are reserved for the API server and the DNS.
  for (let index = 16; ; index++) {
    const address = `10.${96 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
    if (!taken.has(address)) return address;
  }
}
