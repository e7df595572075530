import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@podwright/kube-types';
import { describeVolumeClaimsContract } from '@podwright/volume-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeVolumeClaimsContract('ApiVolumeClaims', createContractHarness);

const pod: Pod = { metadata: { namespace: 'prod', name: 'web', uid: 'p1' }, spec: { containers: [] } };
const volume: Volume = { name: 'data', persistentVolumeClaim: { claimName: 'db' } };
const asMount = { asMount: true, asDevice: false };
const { signal } = new AbortController();
const claim: PersistentVolumeClaim = {
  metadata: { namespace: 'prod', name: 'db', uid: 'c1' },
  spec: { volumeName: 'pv-1' },
  status: { phase: 'Bound' },
};
const bound = (spec: PersistentVolume['spec']): PersistentVolume => ({
  metadata: { name: 'pv-1' },
  spec: { claimRef: { uid: 'c1' }, ...spec },
});

describe('ApiVolumeClaims', () => {
  it('keeps the code of the cause', async () => {
    const { claims } = await createContractHarness();
    const error: unknown = await claims.resolve(pod, volume, asMount, signal).catch((thrown: unknown) => thrown);
    expect(hasCode(error, 'not-found')).toBe(true);
  });

  it('refuses a volume without a mode', async () => {
    const { claims, api } = await createContractHarness();
    api.setClaim(claim);
    api.setVolume(bound({ local: { path: '/d' } }));
    await expect(claims.resolve(pod, volume, asMount, signal)).rejects.toThrow(
      /^cannot get volumeMode for volume: pv-1$/,
    );
  });

  it('does not wrap the refusal to translate a volume', async () => {
    const { claims, api } = await createContractHarness();
    api.setClaim(claim);
    const azureDisk = { diskName: 'd', diskURI: 'u', kind: 'Shared' };
    api.setVolume(bound({ azureDisk }));
    const refusal = /^failed to translate in-tree pv to CSI: kind\(Shared\) is not supported in csi migration$/;
    await expect(claims.resolve(pod, volume, asMount, signal)).rejects.toThrow(refusal);
    await expect(claims.resolve(pod, { name: 'data', azureDisk }, asMount, signal)).rejects.toThrow(refusal);
  });
});
