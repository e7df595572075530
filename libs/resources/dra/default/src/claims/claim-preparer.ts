import type { Device } from '@podwright/dra-interface';
import { KubeletError } from '@podwright/errors';
import { podUid, type Pod } from '@podwright/kube-types';
import type { DraDriver, DraDrivers } from '../drivers/dra-drivers.js';
import type { ClaimCache } from './claim-cache.js';
import type { ClaimCheck } from './claim-check.js';
import type { ClaimDevice, ClaimInfo } from './claim-info.js';
import { answersOf, driverBatches, driverClaim } from './driver-batches.js';
import type { ClaimReference } from './pod-claims.js';

export interface ClaimPreparerDeps {
  readonly cache: ClaimCache;
  readonly check: ClaimCheck;
  readonly drivers: Pick<DraDrivers, 'get'>;
}

/** Has drivers prepare the claims of pods. Source: kubernetes v1.36 pkg/kubelet/cm/dra/manager.go prepareResources. */
export class ClaimPreparer {
  constructor(private readonly deps: ClaimPreparerDeps) {}

  async prepare(pod: Pod, references: readonly ClaimReference[], signal?: AbortSignal): Promise<void> {
    const { cache, check } = this.deps;
    // Everything that can be wrong comes first: a pod that is refused here has nothing to unprepare, not even with a
    // driver that the node never had.
    const claims: ClaimInfo[] = [];
    const drivers = new Map<string, DraDriver>();
    // Two entries of a pod may name the same claim.
    for (const reference of new Map(references.map((each) => [each.claimName, each])).values()) {
      const claim = await check.read(pod, reference, signal);
      for (const driver of claim.drivers.keys()) drivers.set(driver, this.deps.drivers.get(driver));
      claims.push(claim);
    }
    if (claims.length === 0) {
      if (!cache.isSaved) await cache.save('state');
      return;
    }
    // On disk before any driver is called: a killed process finds out whose claims may be prepared.
    const unprepared: ClaimInfo[] = [];
    for (const claim of claims) {
      const used = this.used(claim, podUid(pod));
      cache.put(used);
      await cache.save('cache');
      if (!used.prepared) unprepared.push(used);
    }
    for (const [driver, batch] of driverBatches(unprepared))
      await this.callDriver(drivers.get(driver) as DraDriver, batch, signal);
    for (const { namespace, claimName } of unprepared) {
      const info = cache.get(namespace, claimName);
      if (info !== undefined) cache.put({ ...info, prepared: true });
    }
    await cache.save('state');
  }

  /** The claim as the cache knows it, with this pod. */
  private used(claim: ClaimInfo, uid: string): ClaimInfo {
    const known = this.deps.cache.get(claim.namespace, claim.claimName) ?? claim;
    if (known.claimUid !== claim.claimUid) {
      const message = `old ResourceClaim with same name ${claim.claimName} and different UID ${known.claimUid} still exists (previous pod force-deleted?!)`;
      throw new KubeletError(message, { code: 'failed-precondition' });
    }
    if (isOfOtherAllocation(known, claim)) {
      const message = `ResourceClaim ${claim.claimName} was allocated anew, but its earlier devices are not unprepared yet for the pods ${[...known.podUids].join(', ')}`;
      throw new KubeletError(message, { code: 'failed-precondition' });
    }
    // After a restart the allocation is unknown: from now on it is that of the claim.
    return { ...claim, ...known, podUids: new Set([...known.podUids, uid]) };
  }

  private async callDriver(driver: DraDriver, claims: readonly ClaimInfo[], signal?: AbortSignal): Promise<void> {
    const call = driver.prepare(claims.map(driverClaim), signal);
    const answers = await answersOf('NodePrepareResources', claims, call);
    claims.forEach(({ namespace, claimName }, index) => {
      const info = this.deps.cache.get(namespace, claimName);
      if (info === undefined) return;
      // The answer replaces what an earlier process or attempt was given.
      const devices = (answers[index]?.devices ?? []).map(deviceOf);
      this.deps.cache.put({ ...info, drivers: new Map([...info.drivers, [driver.name, devices]]) });
    });
  }
}

/**
 * A claim that was freed while its pod was still ending, such as one that was deleted by force, may have other devices
 * now. After a restart only other drivers show it.
 */
function isOfOtherAllocation(known: ClaimInfo, claim: ClaimInfo): boolean {
  if (known.allocation !== undefined) return known.allocation !== claim.allocation;
  return (
    known.drivers.size !== claim.drivers.size || [...claim.drivers.keys()].some((name) => !known.drivers.has(name))
  );
}

const deviceOf = ({ poolName, deviceName, shareId, requestNames, cdiDeviceIds }: Device): ClaimDevice => ({
  ...{ poolName, deviceName, requestNames, cdiDeviceIds },
  ...(shareId !== undefined && { shareId }),
});
