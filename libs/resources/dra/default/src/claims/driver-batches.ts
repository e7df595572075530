import type { Claim } from '@podwright/dra-interface';
import { KubeletError, rpcErrorText } from '@podwright/errors';
import type { ClaimInfo } from './claim-info.js';

export type DriverOperation = 'NodePrepareResources' | 'NodeUnprepareResources';

/** The claims of each driver: one call per driver has them all. */
export function driverBatches(claims: readonly ClaimInfo[]): ReadonlyMap<string, readonly ClaimInfo[]> {
  const batches = new Map<string, ClaimInfo[]>();
  for (const claim of claims)
    for (const driver of claim.drivers.keys()) {
      const batch = batches.get(driver);
      if (batch === undefined) batches.set(driver, [claim]);
      else batch.push(claim);
    }
  return batches;
}

export const driverClaim = ({ namespace, claimUid, claimName }: ClaimInfo): Claim => ({
  ...{ namespace, uid: claimUid, name: claimName },
});

/**
 * Resolves with the driver's answer for each claim, in the order of `claims`. Rejects with upstream's text when the call
 * fails, or the answer has an error, an unknown claim or lacks a claim.
 */
export async function answersOf<Answer extends { readonly error: string }>(
  operation: DriverOperation,
  claims: readonly ClaimInfo[],
  call: Promise<{ readonly claims: Readonly<Record<string, Answer>> }>,
): Promise<readonly Answer[]> {
  const { claims: answers } = await call.catch((error: unknown) => {
    const { code } = KubeletError.from(error);
    throw new KubeletError(`${operation}: ${rpcErrorText(error)}`, { code, cause: error });
  });
  const asked = new Map(claims.map((claim) => [claim.claimUid, claim]));
  for (const [uid, { error }] of Object.entries(answers)) {
    const claim = asked.get(uid);
    if (claim === undefined) throw failed(`${operation} returned result for unknown claim UID ${uid}`);
    if (error !== '') throw failed(`${operation} failed for ResourceClaim ${claim.claimName}: ${error}`);
  }
  const skipped = claims.length - Object.keys(answers).length;
  if (skipped !== 0) throw failed(`${operation} skipped ${skipped} ResourceClaims`);
  return claims.map(({ claimUid }) => answers[claimUid] as Answer);
}

const failed = (message: string): KubeletError => new KubeletError(message, { code: 'unknown' });
