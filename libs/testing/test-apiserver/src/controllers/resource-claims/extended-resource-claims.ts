import type { ApiObject } from '@podwright/api-machinery';
import { quantityToNumber, type Pod, type ResourceClaim } from '@podwright/kube-types';
import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import { systemUser } from '../../registry/system-objects.js';
import { asPod } from '../../strategies/pod-strategy.js';
import type { Controller } from '../controller.js';
import { needsClaims, podOwner } from './claims-of-pod.js';

const classesKey = 'deviceclasses.resource.k8s.io';
const implicitPrefix = 'deviceclass.resource.kubernetes.io/';
const annotation = 'resource.kubernetes.io/extended-resource-claim';

interface Wanted {
  readonly containerName: string;
  readonly resourceName: string;
  readonly requestName: string;
  readonly deviceClassName: string;
  readonly count: number;
}

/**
 * Makes the claim of a bound pod that wants extended resources of device classes, and says in the pod's status which
 * request is whose. Source: kubernetes v1.36
 * pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go.
 */
export function extendedResourceClaims({ store, table }: ServerContext, registry: ObjectRegistry): Controller {
  const claims = table.get('resourceclaims', 'resource.k8s.io');
  return ({ resource }) => {
    if (resource !== 'pods' && resource !== classesKey) return;
    for (const object of [...store.values('pods')]) settle(asPod(object), object);
  };

  function settle(pod: Pod, object: ApiObject): void {
    const { metadata, spec, status } = pod;
    if (!spec.nodeName || !needsClaims(pod) || status?.extendedResourceClaimStatus !== undefined) return;
    const wanted = wantedBy(pod);
    if (wanted.length === 0) return;
    const claim = {
      metadata: {
        ...{ generateName: `${metadata.name}-extended-resources-`, namespace: metadata.namespace },
        annotations: { [annotation]: 'true' },
        ownerReferences: [podOwner(pod)],
      },
      spec: {
        devices: {
          requests: wanted.map(({ requestName, deviceClassName, count }) => ({
            name: requestName,
            exactly: { deviceClassName, allocationMode: 'ExactCount', count },
          })),
        },
      } satisfies ResourceClaim['spec'],
    } as unknown as ApiObject;
    const made = registry.create({ resource: claims, namespace: metadata.namespace ?? '', user: systemUser }, claim);
    const extendedResourceClaimStatus = {
      resourceClaimName: made.metadata.name,
      requestMappings: wanted.map(({ containerName, resourceName, requestName }) => ({
        ...{ containerName, resourceName, requestName },
      })),
    };
    registry.put(table.get('pods'), { ...object, status: { ...status, extendedResourceClaimStatus } });
  }

  function wantedBy({ spec }: Pod): readonly Wanted[] {
    return spec.containers.flatMap(({ name: containerName, resources }, at) =>
      Object.keys(resources?.requests ?? {})
        .sort()
        .flatMap((resourceName, index): readonly Wanted[] => {
          const count = quantityToNumber(resources?.requests?.[resourceName]);
          const deviceClassName = classFor(resourceName);
          if (deviceClassName === undefined || count === 0) return [];
          return [
            {
              ...{ containerName, resourceName, deviceClassName, count },
              requestName: `container-${at}-request-${index}`,
            },
          ];
        }),
    );
  }

  function classFor(resourceName: string): string | undefined {
    const classes = [...store.values(classesKey)];
    const explicit = classes.find(
      ({ spec }) =>
        (spec as { readonly extendedResourceName?: string } | undefined)?.extendedResourceName === resourceName,
    );
    const implicit = resourceName.startsWith(implicitPrefix) ? resourceName.slice(implicitPrefix.length) : undefined;
    return explicit?.metadata.name ?? classes.find(({ metadata }) => metadata.name === implicit)?.metadata.name;
  }
}
