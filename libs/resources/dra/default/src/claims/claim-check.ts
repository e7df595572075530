import { KubeletError, messageOf } from '@podwright/errors';
import { resourceClaims, type KubeClient } from '@podwright/kube-client-interface';
import { podUid, type Pod, type ResourceClaim } from '@podwright/kube-types';
import type { ClaimInfo } from './claim-info.js';
import type { ClaimReference } from './pod-claims.js';

const schedulingGroup = 'scheduling.k8s.io';

/** Reads claims of pods from the API server and checks that the pod may use them. */
export class ClaimCheck {
  constructor(
    private readonly client: Pick<KubeClient, 'get'> | undefined,
    /** A claim may belong to the pod's group, and be reserved for it. */
    private readonly groupClaims: boolean,
  ) {}

  /**
   * The claim, without pods and devices. Rejects with upstream's text. Source: kubernetes v1.36
   * pkg/kubelet/cm/dra/manager.go prepareResources,
   * staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/resourceclaim.go.
   */
  async read(pod: Pod, { claimName, fromTemplate }: ClaimReference, signal?: AbortSignal): Promise<ClaimInfo> {
    const claim = await this.fetch(pod, claimName, signal);
    if (fromTemplate && !this.belongsTo(pod, claim)) throw refusal(this.notOwned(pod, claimName));
    const uid = claim.metadata?.uid ?? '';
    if (!this.isReservedFor(pod, claim)) {
      const { name = '' } = pod.metadata;
      throw refusal(`pod ${name} (${podUid(pod)}) is not allowed to use ResourceClaim ${claimName} (${uid})`);
    }
    const { allocation } = claim.status ?? {};
    if (allocation === undefined) throw refusal(`ResourceClaim ${claimName}: not allocated`);
    const { results = [] } = allocation.devices ?? {};
    const drivers = results.map(({ driver }) => driver);
    return {
      claimUid: uid,
      claimName,
      namespace: pod.metadata.namespace ?? '',
      podUids: new Set(),
      drivers: new Map(drivers.map((driver) => [driver, []])),
      prepared: false,
      allocation: JSON.stringify(
        results.map(({ request, driver, pool, device, shareID }) => [request, driver, pool, device, shareID]),
      ),
    };
  }

  private async fetch(pod: Pod, claimName: string, signal?: AbortSignal): Promise<ResourceClaim> {
    const { namespace = '' } = pod.metadata;
    try {
      if (this.client === undefined) throw refusal('the node has no API server');
      const options = signal === undefined ? {} : { signal };
      return await this.client.get(resourceClaims, { namespace, name: claimName }, options);
    } catch (error) {
      const message = `fetch ResourceClaim ${claimName}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
    }
  }

  private belongsTo(pod: Pod, { metadata }: ResourceClaim): boolean {
    const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) return false;
    if (owner.uid === podUid(pod)) return true;
    const { apiVersion, kind, name } = owner;
    return apiVersion.startsWith(`${schedulingGroup}/`) && kind === 'PodGroup' && name === this.groupOf(pod);
  }

  private isReservedFor(pod: Pod, { status }: ResourceClaim): boolean {
    return (status?.reservedFor ?? []).some(
      ({ uid, apiGroup, resource, name }) =>
        uid === podUid(pod) || (apiGroup === schedulingGroup && resource === 'podgroups' && name === this.groupOf(pod)),
    );
  }

  private groupOf({ spec }: Pod): string | undefined {
    return this.groupClaims ? spec.schedulingGroup?.podGroupName : undefined;
  }

  private notOwned(pod: Pod, claimName: string): string {
    const { namespace = '', name = '' } = pod.metadata;
    const group = this.groupOf(pod);
    const owner = group === undefined ? 'Pod is not owner' : `neither Pod nor PodGroup ${group} is the owner`;
    return `ResourceClaim ${namespace}/${claimName} was not created for Pod ${namespace}/${name} (${owner})`;
  }
}

const refusal = (message: string): KubeletError => new KubeletError(message, { code: 'failed-precondition' });
