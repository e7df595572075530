import type { ApiObject } from '@podwright/api-machinery';
import { objectKey, type Pod, type ResourceClaim } from '@podwright/kube-types';
import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import { systemUser } from '../../registry/system-objects.js';
import { asPod } from '../../strategies/pod-strategy.js';
import type { Controller } from '../controller.js';
import { isOwnedBy, needsClaims, podOwner } from './claims-of-pod.js';

const claimsKey = 'resourceclaims.resource.k8s.io';
const templatesKey = 'resourceclaimtemplates.resource.k8s.io';
const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';
const causes = new Set(['pods', claimsKey, templatesKey]);

interface Template {
  readonly spec?: { readonly metadata?: ApiObject['metadata']; readonly spec?: unknown };
}

/**
 * Makes the claims of templates, owned by their pod, and writes their names into the pod's status. Source: kubernetes
 * v1.36 pkg/controller/resourceclaim/controller.go, handleClaim.
 */
export function claimTemplates({ store, table }: ServerContext, registry: ObjectRegistry): Controller {
  const claims = table.get('resourceclaims', 'resource.k8s.io');
  return ({ resource }) => {
    if (!causes.has(resource)) return;
    for (const object of [...store.values('pods')]) settle(asPod(object), object);
  };

  function settle(pod: Pod, object: ApiObject): void {
    if (pod.metadata.deletionTimestamp !== undefined || !needsClaims(pod)) return;
    const known = pod.status?.resourceClaimStatuses ?? [];
    const statuses = (pod.spec.resourceClaims ?? []).flatMap(({ name, resourceClaimTemplateName: template }) => {
      const old = known.find((entry) => entry.name === name);
      if (template === undefined) return old ?? [];
      const claim = existing(pod, old?.resourceClaimName) ?? orphan(pod, name) ?? made(pod, name, template);
      return claim === undefined ? (old ?? []) : { name, resourceClaimName: claim };
    });
    if (JSON.stringify(statuses) === JSON.stringify(known)) return;
    registry.put(table.get('pods'), { ...object, status: { ...pod.status, resourceClaimStatuses: statuses } });
  }

  function existing({ metadata }: Pod, name: string | undefined): string | undefined {
    if (name === undefined) return undefined;
    return store.get(claimsKey, objectKey(metadata.namespace, name))?.metadata.name;
  }

  /** A claim that was made for the pod before its status said so. */
  function orphan(pod: Pod, podClaim: string): string | undefined {
    const all = [...store.values(claimsKey)] as ResourceClaim[];
    const found = all.find(
      (claim) => isOwnedBy(claim, pod) && claim.metadata?.annotations?.[podClaimAnnotation] === podClaim,
    );
    return found?.metadata?.name;
  }

  function made(pod: Pod, podClaim: string, templateName: string): string | undefined {
    const { namespace = '', name = '' } = pod.metadata;
    const template = store.get(templatesKey, objectKey(namespace, templateName)) as Template | undefined;
    if (template === undefined) return undefined;
    const { metadata: { labels, annotations = {} } = {}, spec } = template.spec ?? {};
    const claim = {
      metadata: {
        ...{ generateName: `${name}-${podClaim}-`, namespace, labels },
        annotations: { ...annotations, [podClaimAnnotation]: podClaim },
        ownerReferences: [podOwner(pod)],
      },
      spec,
    } as unknown as ApiObject;
    return registry.create({ resource: claims, namespace, user: systemUser }, claim).metadata.name;
  }
}
