import { breaks, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { TrackedCredential } from '@podwright/image-credentials-interface';
import type { ImagePullRecords } from '@podwright/image-pull-records-interface';
import { describeImagePullRecordsContract } from '@podwright/image-pull-records-interface/contract';
import type { ImagePullRecordsHarness } from '@podwright/image-pull-records-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';

type Broken = (good: ImagePullRecordsHarness) => Partial<ImagePullRecordsHarness>;

/** Of this process, and of the next. */
const broken =
  (replaced: (good: ImagePullRecords) => Partial<ImagePullRecords>): Broken =>
  ({ records, restart }) => ({
    records: breaks(records, replaced(records)),
    restart: async (present) => {
      const next = await restart(present);
      return breaks(next, replaced(next));
    },
  });
const deciding = (change: (must: boolean, credentials: readonly TrackedCredential[]) => boolean): Broken =>
  broken((good) => ({
    mustAttemptPull: async (image, imageRef, credentials) =>
      change(await good.mustAttemptPull(image, imageRef, credentials), await credentials()),
  }));
/** One that takes credentials for something else than they are. */
const seeing = (change: (credential: TrackedCredential) => TrackedCredential): Broken =>
  broken((good) => ({
    mustAttemptPull: (image, imageRef, credentials) =>
      good.mustAttemptPull(image, imageRef, async () => (await credentials()).map(change)),
  }));
const always = (must: boolean): Broken => broken(() => ({ mustAttemptPull: () => Promise.resolve(must) }));
const recordsOnly = (recorded: (credential: TrackedCredential) => boolean): Broken =>
  broken((good) => ({
    recordPulled: async (image, imageRef, credential) => {
      if (credential !== undefined && recorded(credential)) await good.recordPulled(image, imageRef, credential);
      else await good.recordPullFailed(image);
    },
  }));
const farFutureMs = Number.MAX_SAFE_INTEGER;
const row = (pod: string, must: boolean): string => `after a pull with a secret, a pod with ${pod} must pull: ${must}`;

describeContractProof(
  'ImagePullRecords',
  (create) => describeImagePullRecordsContract('broken ImagePullRecords', create),
  contractHarness(),
  {
    'lets every pod use what was there before, and what was pulled without a secret': {
      'what was there before has to be pulled': always(true),
      'it asks for credentials': deciding((must) => must),
      'what was pulled without a secret has to be pulled': broken(() => {
        let pulled = false;
        return {
          recordPulled: () => {
            pulled = true;
            return Promise.resolve();
          },
          mustAttemptPull: () => Promise.resolve(pulled),
        };
      }),
    },
    'says that an absent image must be pulled': {
      'it takes it for one that was there before': always(false),
    },
    [row('nothing', true)]: {
      'it may use it all the same': deciding((must, { length }) => must && length > 0),
    },
    [row('another secret', true)]: {
      'any secret will do': seeing((credential) => ({ ...credential, hash: 'hash-of-one' })),
    },
    [row('the same secret', false)]: {
      'no secret will do': always(true),
    },
    [row('the same secret after others', false)]: {
      'only the first counts': broken((good) => ({
        mustAttemptPull: (image, imageRef, credentials) =>
          good.mustAttemptPull(image, imageRef, async () => (await credentials()).slice(0, 1)),
      })),
    },
    [row('another secret of the same content', false)]: {
      'the content does not count': seeing((credential) => ({ ...credential, hash: 'unknown' })),
    },
    [row('the same secret with new content', false)]: {
      'the name does not count': seeing(({ auth, hash }) => ({
        auth,
        hash,
        source: { kind: 'secret', uid: 'unknown', namespace: 'prod', name: 'unknown' },
      })),
    },
    [row('a service account of that name', true)]: {
      'an account counts as a secret': seeing((credential) =>
        credential.source.kind === 'service-account'
          ? { ...credential, source: { ...credential.source, kind: 'secret' } }
          : credential,
      ),
    },
    [row('a credential of the node', true)]: {
      'the node may give what it has to all': deciding(
        (must, credentials) => must && credentials.every(({ source }) => source.kind !== 'node'),
      ),
    },
    'learns a copy that it has met': {
      'it lets the copy pass only': deciding((must, credentials) =>
        credentials.some(({ hash }) => hash === 'hash-of-renewed') ? true : must,
      ),
    },
    'knows a service account again': {
      'it does not record accounts': recordsOnly(({ source }) => source.kind === 'secret'),
      'it takes one for another': deciding(() => false),
      'it knows none again': always(true),
    },
    'keeps what was pulled with several credentials, and opens to all what the node pulled': {
      'the last pull replaces those before': broken((good) => ({
        recordPulled: async (image, imageRef, credential) => {
          await good.prune(new Set(), farFutureMs);
          await good.recordPulled(image, imageRef, credential);
        },
      })),
      'only secrets are kept': recordsOnly(({ source }) => source.kind === 'secret'),
      'what the node pulled is not for all': recordsOnly(({ source }) => source.kind !== 'node'),
    },
    'does not take one name of an image for another': {
      'it knows images by their reference': broken((good) => ({
        recordPulled: (_image, imageRef, credential) =>
          good.recordPulled('registry.test/team/app:1', imageRef, credential),
      })),
    },
    'counts an image as pulled while a pull is under way, and no more when all of them have failed': {
      'it counts when it has ended': broken(() => ({ recordPullIntent: () => Promise.resolve() })),
      'one failure ends all': broken((good) => ({
        recordPullFailed: async (image) => {
          await good.recordPullFailed(image);
          await good.recordPullFailed(image);
        },
      })),
      'a failure ends none': broken(() => ({ recordPullFailed: () => Promise.resolve() })),
    },
    'rejects when the credentials cannot be looked up': {
      'it says yes': broken((good) => ({
        mustAttemptPull: (image, imageRef, credentials) =>
          good.mustAttemptPull(image, imageRef, credentials).catch(() => true),
      })),
      'the error is one of its own': broken((good) => ({
        mustAttemptPull: (image, imageRef, credentials) =>
          good.mustAttemptPull(image, imageRef, () => credentials().catch(() => Promise.reject(new Error('no')))),
      })),
    },
    'remembers over a sudden end': {
      'it forgets': ({ records, restart }) => ({
        restart: async (present) => {
          await records.prune(new Set(), farFutureMs);
          return restart(present);
        },
      }),
      'it forgets who may': always(true),
    },
    'trusts nobody with an image whose pull was under way at a sudden end': {
      'it forgets that a pull was under way': ({ records, restart }) => ({
        restart: async (present) => {
          await records.recordPullFailed('registry.test/team/app:1');
          return restart(present);
        },
      }),
      'a later pull does not mend that': always(true),
    },
    'forgets images that are gone, but not what was written since': {
      'it forgets nothing': broken(() => ({ prune: () => Promise.resolve() })),
      'it forgets what is there': broken((good) => ({
        prune: (_imageRefs, untilMs) => good.prune(new Set(), untilMs),
      })),
      'it forgets what was written since': broken((good) => ({
        prune: (imageRefs) => good.prune(imageRefs, farFutureMs),
      })),
    },
    'stops more than once, also before its start': {
      'a second stop is refused': refusesSecondStop('records'),
    },
  },
);
