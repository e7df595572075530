import { breaksIn, describeContractProof } from '@podwright/contract';
import { messageOf } from '@podwright/errors';
import type { ResolvedClaim, VolumeClaims } from '@podwright/volume-interface';
import { describeVolumeClaimsContract, type VolumeClaimsHarness } from '@podwright/volume-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Resolve = VolumeClaims['resolve'];
type Broken = (good: VolumeClaimsHarness) => Partial<VolumeClaimsHarness>;

const broken = (replaced: (good: VolumeClaims) => Partial<VolumeClaims>): Broken => breaksIn('claims', replaced);
const resolving = (replaced: (good: Resolve) => Resolve): Broken =>
  broken((good) => ({ resolve: replaced((...asked) => good.resolve(...asked)) }));
const answering = (change: (found: ResolvedClaim) => ResolvedClaim): Broken =>
  resolving(
    (good) =>
      async (...asked) =>
        change(await good(...asked)),
  );
const failing = (change: (message: string) => string): Broken =>
  resolving(
    (good) =>
      (...asked) =>
        good(...asked).catch((error: unknown) => Promise.reject(new Error(change(messageOf(error))))),
  );
const lenient: Broken = resolving(
  (good) =>
    (...asked) =>
      good(...asked).catch((): ResolvedClaim => ({ persistentVolume: {}, migrated: false })),
);
const stuck: Broken = resolving(() => () => new Promise(() => undefined));

describeContractProof(
  'VolumeClaims',
  (create) => describeVolumeClaimsContract('broken VolumeClaims', create),
  createContractHarness,
  {
    'concerns claims, generic ephemeral volumes and those of former in-tree plugins, and no other': {
      'every volume': broken(() => ({ concerns: () => true })),
      'claims alone': broken(() => ({ concerns: (volume) => volume.persistentVolumeClaim !== undefined })),
    },
    'finds the volume of a claim': {
      'it keeps the claim to itself': answering(({ persistentVolume, migrated }) => ({ persistentVolume, migrated })),
      'it is always migrated': answering((found) => ({ ...found, migrated: true })),
      'the volume is another': answering((found) => ({ ...found, persistentVolume: {} })),
    },
    'asks for both objects each time': {
      'it remembers the first answer': resolving((good) => {
        let first: ReturnType<Resolve> | undefined;
        return (...asked) => (first ??= good(...asked));
      }),
      'it remembers the volume': resolving((good) => {
        let first: ResolvedClaim | undefined;
        return async (...asked) => {
          const found = await good(...asked);
          first ??= found;
          return { ...found, persistentVolume: first.persistentVolume };
        };
      }),
    },
    'refuses a claim %s, and names it': {
      'it takes any': lenient,
      'it does not name it': failing((message) => message.replace(/^error processing PVC \S+: /, '')),
      'it does not say why': failing((message) => message.replace(/(db: ).*/, '$1it cannot be used')),
    },
    'names the object that does not exist': {
      'it names neither': failing(() => 'not found'),
      'it always means the claim': failing((message) => message.replace('PV pv-1', 'PVC')),
    },
    'accepts a claim in deletion that its pods still protect': {
      'it refuses it': resolving((good) => async (...asked) => {
        const found = await good(...asked);
        if (found.claim?.metadata?.deletionTimestamp !== undefined) throw new Error('PVC is being deleted');
        return found;
      }),
    },
    'finds the claim of a generic ephemeral volume, which must belong to the pod': {
      'it may belong to any': lenient,
      'the refusal is wrapped': failing((message) => `error processing PVC prod/web-data: ${message}`),
      'it belongs to nobody': failing(() => 'pod is not owner'),
      'the claim has another name': answering((found) => ({ ...found, claim: {} })),
    },
    'refuses a volume of another mode than the containers use it in': {
      'it takes any': lenient,
      'the refusal is wrapped': failing((message) => `error processing PVC prod/db: ${message}`),
      'it refuses all devices': resolving((good) => async (...asked) => {
        if (asked[2].asDevice)
          throw new Error('volume data has volumeMode Filesystem, but is specified in volumeDevices');
        return good(...asked);
      }),
    },
    'gives a CSI volume in place of one of a former in-tree plugin': {
      'it does not say so': answering((found) => ({ ...found, migrated: false })),
      'it keeps the old source': answering((found) => ({
        ...found,
        persistentVolume: {
          ...found.persistentVolume,
          spec: { ...found.persistentVolume.spec, cinder: { volumeID: 'v' } },
        },
      })),
      'it makes up a claim': answering((found) => ({ claim: {}, ...found })),
    },
    'stops waiting for the API server on the signal': {
      'it does not stop': stuck,
      'it says nothing about the API server': failing(() => 'aborted'),
    },
  },
);
