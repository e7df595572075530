import type { DraDrivers } from '../drivers/dra-drivers.js';
import type { ClaimCache } from './claim-cache.js';
import { answersOf, driverBatches, driverClaim } from './driver-batches.js';

/** Has drivers unprepare what no pod uses. Source: kubernetes v1.36 pkg/kubelet/cm/dra/manager.go unprepareResources. */
export class ClaimReleaser {
  constructor(
    private readonly cache: ClaimCache,
    private readonly drivers: Pick<DraDrivers, 'get'>,
  ) {}

  /** Takes the pod's claims from it; the file shows it when all drivers have unprepared theirs. */
  async release(uid: string, signal?: AbortSignal): Promise<void> {
    const claims = this.cache.ofPod(uid);
    // What the disk has refused is tried again with the pod.
    if (claims.length === 0 && this.cache.isSaved) return;
    const unused = claims.filter(({ podUids }) => podUids.size === 1);
    for (const [name, batch] of driverBatches(unused)) {
      const call = this.drivers.get(name).unprepare(batch.map(driverClaim), signal);
      await answersOf('NodeUnprepareResources', batch, call);
    }
    for (const claim of unused) this.cache.delete(claim);
    for (const { namespace, claimName } of claims) {
      const shared = this.cache.get(namespace, claimName);
      if (shared === undefined) continue;
      this.cache.put({ ...shared, podUids: new Set([...shared.podUids].filter((other) => other !== uid)) });
    }
    await this.cache.save('state');
  }
}
