import { describe, expect, it } from '@podwright/contract';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@podwright/kube-types';
import type { VolumeClaims } from '../volume-claims.js';

export interface VolumeClaimsHarness {
  readonly claims: VolumeClaims;
  /** The API server, empty at first. */
  readonly api: {
    /** Adds or replaces the claim. */
    readonly setClaim: (claim: PersistentVolumeClaim) => void;
    /** Adds or replaces the volume. */
    readonly setVolume: (volume: PersistentVolume) => void;
    /** Calls get no answer from now on. */
    readonly hang: () => void;
  };
}

const namespace = 'prod';
const pod: Pod = { metadata: { namespace, name: 'web', uid: 'p1' }, spec: { containers: [] } };
const claimed: Volume = { name: 'data', persistentVolumeClaim: { claimName: 'db' } };
const ephemeral: Volume = { name: 'data', ephemeral: {} };
const asMount = { asMount: true, asDevice: false };
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'p1', controller: true };

const claim = (change: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  metadata: { namespace, name: 'db', uid: 'c1' },
  spec: { volumeName: 'pv-1' },
  status: { phase: 'Bound' },
  ...change,
});
const disk = (spec: PersistentVolume['spec'] = {}): PersistentVolume => ({
  metadata: { name: 'pv-1' },
  spec: { claimRef: { namespace, name: 'db', uid: 'c1' }, volumeMode: 'Filesystem', local: { path: '/d' }, ...spec },
});

interface Given {
  readonly claim?: PersistentVolumeClaim;
  readonly volume?: PersistentVolume;
}
const unusable: readonly (readonly [string, Given, string])[] = [
  ['that is being deleted', { claim: goingAway([]) }, 'PVC is being deleted'],
  ['that is not bound', { claim: claim({ status: { phase: 'Pending' } }) }, 'PVC is not bound'],
  ['that has lost its volume', { claim: claim({ status: { phase: 'Lost' } }) }, 'PVC is not bound'],
  ['without a volume', { claim: claim({ spec: {} }) }, 'PVC has empty pvc.Spec.VolumeName'],
  [
    'whose volume is free',
    { claim: claim(), volume: { ...disk(), spec: { volumeMode: 'Filesystem' } } },
    'found PV object pv-1 but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim',
  ],
  [
    'whose volume is bound to another',
    { claim: claim(), volume: disk({ claimRef: { uid: 'c2' } }) },
    'found PV object pv-1 but its pv.Spec.ClaimRef.UID c2 does not point to claim.UID c1',
  ],
];

function goingAway(finalizers: readonly string[]): PersistentVolumeClaim {
  const metadata = { namespace, name: 'db', uid: 'c1', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers };
  return claim({ metadata });
}

/** Every implementation of {@link VolumeClaims} passes this suite; `create` gives a new instance per case. */
export function describeVolumeClaimsContract(name: string, create: () => Promise<VolumeClaimsHarness>): void {
  describe(`${name} as VolumeClaims`, () => {
    const signal = new AbortController().signal;
    const given = async (objects: Given): Promise<VolumeClaimsHarness> => {
      const harness = await create();
      if (objects.claim !== undefined) harness.api.setClaim(objects.claim);
      if (objects.volume !== undefined) harness.api.setVolume(objects.volume);
      return harness;
    };

    it('concerns claims, generic ephemeral volumes and those of former in-tree plugins, and no other', async () => {
      const { claims } = await create();
      const formerly: Volume = { name: 'data', cinder: { volumeID: 'v' } };
      expect([claimed, ephemeral, formerly].map((volume) => claims.concerns(volume))).toEqual([true, true, true]);
      const others: readonly Volume[] = [
        { name: 'data', emptyDir: {} },
        { name: 'data', csi: { driver: 'x' } },
        { name: 'data', nfs: { server: 's', path: '/' } },
      ];
      expect(others.filter((volume) => claims.concerns(volume))).toEqual([]);
    });

    it('finds the volume of a claim', async () => {
      const { claims } = await given({ claim: claim(), volume: disk() });
      const found = await claims.resolve(pod, claimed, asMount, signal);
      expect(found).toEqual({ persistentVolume: disk(), claim: claim(), migrated: false });
    });

    it('asks for both objects each time', async () => {
      const { claims, api } = await given({ claim: claim(), volume: disk() });
      await claims.resolve(pod, claimed, asMount, signal);
      const grown = disk({ capacity: { storage: '2Gi' } });
      api.setVolume(grown);
      expect((await claims.resolve(pod, claimed, asMount, signal)).persistentVolume).toEqual(grown);
      api.setClaim(claim({ status: { phase: 'Lost' } }));
      await expect(claims.resolve(pod, claimed, asMount, signal)).rejects.toThrow('PVC is not bound');
    });

    it.each(unusable)('refuses a claim %s, and names it', async (_what, objects, why) => {
      const { claims } = await given(objects);
      await expect(claims.resolve(pod, claimed, asMount, signal)).rejects.toThrow(
        `error processing PVC prod/db: ${why}`,
      );
    });

    it('names the object that does not exist', async () => {
      const { claims, api } = await create();
      const error = 'error processing PVC prod/db: failed to fetch';
      await expect(claims.resolve(pod, claimed, asMount, signal)).rejects.toThrow(`${error} PVC from API server: `);
      api.setClaim(claim());
      await expect(claims.resolve(pod, claimed, asMount, signal)).rejects.toThrow(`${error} PV pv-1 from API server: `);
    });

    it('accepts a claim in deletion that its pods still protect', async () => {
      const { claims } = await given({ claim: goingAway(['kubernetes.io/pvc-protection']), volume: disk() });
      const { persistentVolume } = await claims.resolve(pod, claimed, asMount, signal);
      expect(persistentVolume).toEqual(disk());
    });

    it('finds the claim of a generic ephemeral volume, which must belong to the pod', async () => {
      const metadata = { namespace, name: 'web-data', uid: 'c1' };
      const { claims, api } = await given({ claim: claim({ metadata, status: { phase: 'Pending' } }), volume: disk() });
      const unbound = 'error processing PVC prod/web-data: PVC is not bound';
      await expect(claims.resolve(pod, ephemeral, asMount, signal)).rejects.toThrow(unbound);
      api.setClaim(claim({ metadata }));
      const refusal = 'PVC prod/web-data was not created for pod prod/web (pod is not owner)';
      await expect(claims.resolve(pod, ephemeral, asMount, signal)).rejects.toThrow(
        new RegExp(`^${escaped(refusal)}$`),
      );
      api.setClaim(claim({ metadata: { ...metadata, ownerReferences: [{ ...owner, uid: 'p0' }] } }));
      await expect(claims.resolve(pod, ephemeral, asMount, signal)).rejects.toThrow(refusal);
      api.setClaim(claim({ metadata: { ...metadata, ownerReferences: [owner] } }));
      expect((await claims.resolve(pod, ephemeral, asMount, signal)).claim?.metadata?.name).toBe('web-data');
    });

    it('refuses a volume of another mode than the containers use it in', async () => {
      const { claims, api } = await given({ claim: claim(), volume: disk({ volumeMode: 'Block' }) });
      const asDevice = { asMount: false, asDevice: true };
      await expect(claims.resolve(pod, claimed, asMount, signal)).rejects.toThrow(
        /^volume data has volumeMode Block, but is specified in volumeMounts$/,
      );
      await expect(claims.resolve(pod, claimed, asDevice, signal)).resolves.toMatchObject({ migrated: false });
      api.setVolume(disk());
      await expect(claims.resolve(pod, claimed, asDevice, signal)).rejects.toThrow(
        /^volume data has volumeMode Filesystem, but is specified in volumeDevices$/,
      );
    });

    it('gives a CSI volume in place of one of a former in-tree plugin', async () => {
      const cinder = { volumeID: 'v' };
      const csi = { driver: 'cinder.csi.openstack.org', volumeHandle: 'v' };
      const { local: _, ...spec } = disk().spec ?? {};
      const { claims } = await given({ claim: claim(), volume: { ...disk(), spec: { ...spec, cinder } } });
      const bound = await claims.resolve(pod, claimed, asMount, signal);
      expect(bound).toMatchObject({ migrated: true, persistentVolume: { metadata: { name: 'pv-1' }, spec: { csi } } });
      expect(bound.persistentVolume.spec?.cinder).toBeUndefined();
      const inline = await claims.resolve(pod, { name: 'data', cinder }, asMount, signal);
      expect(inline).toMatchObject({ migrated: true, persistentVolume: { spec: { csi, volumeMode: 'Filesystem' } } });
      expect(inline.claim).toBeUndefined();
    });

    it('stops waiting for the API server on the signal', async () => {
      const { claims, api } = await given({ claim: claim(), volume: disk() });
      api.hang();
      const abort = new AbortController();
      const waiting = claims.resolve(pod, claimed, asMount, abort.signal);
      abort.abort();
      await expect(waiting).rejects.toThrow('failed to fetch PVC from API server');
    });
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
