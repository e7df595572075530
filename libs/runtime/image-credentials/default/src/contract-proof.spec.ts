import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { CredentialLookup, TrackedCredential } from '@podwright/image-credentials-interface';
import { describeImageCredentialsContract } from '@podwright/image-credentials-interface/contract';
import type { ImageCredentialsHarness } from '@podwright/image-credentials-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';

type Broken = (good: ImageCredentialsHarness) => Partial<ImageCredentialsHarness>;
type Found = readonly TrackedCredential[];

const answering = (change: (found: Found) => Found): Broken =>
  breaksIn('credentials', (good) => ({ lookup: async (request) => change(await good.lookup(request)) }));
const asking = (change: (request: CredentialLookup) => CredentialLookup): Broken =>
  breaksIn('credentials', (good) => ({ lookup: (request) => good.lookup(change(request)) }));
const each = (change: (credential: TrackedCredential, index: number) => Partial<TrackedCredential>): Broken =>
  answering((found) => found.map((credential, index) => ({ ...credential, ...change(credential, index) })));
const failing = (change: (error: KubeletError) => Error): Broken =>
  breaksIn('credentials', (good) => ({
    lookup: (request) =>
      good.lookup(request).catch((error: unknown) => Promise.reject(change(KubeletError.from(error)))),
  }));
const findsNothingInstead: Broken = breaksIn('credentials', (good) => ({
  lookup: (request) => good.lookup(request).catch(() => []),
}));
const otherCode = failing(({ message }) => new KubeletError(message, { code: 'internal' }));
const anonymous: TrackedCredential = { auth: {}, source: { kind: 'node' }, hash: '' };
const findsNothing = answering(() => []);

describeContractProof(
  'ImageCredentials',
  (create) => describeImageCredentialsContract('broken ImageCredentials', create),
  contractHarness(),
  {
    'finds nothing where there is nothing': {
      'it finds an anonymous credential': answering((found) => [...found, anonymous]),
    },
    'reads a pull secret of type %s': {
      'it finds nothing': findsNothing,
      'it finds what is for another registry too': answering((found) => [...found, ...found]),
      'it takes the password for the user': each(({ auth }) => ({
        auth: { ...auth, username: auth.password ?? '' },
      })),
      'it takes the secret for one of the node': each(() => ({ source: { kind: 'node' } })),
      'the hash is missing': each(() => ({ hash: '' })),
    },
    'gives equal credentials of different secrets the same hash, and others another': {
      'the hash is one of the secret': each(({ hash }, index) => ({ hash: hash + index })),
      'all hashes are the same': each(() => ({ hash: 'hash' })),
      'others have the same hash': each((_, index) => ({ hash: index === 0 ? 'a' : 'b' })),
    },
    'gives the most specific first, then in the order of the secrets': {
      'the most general come first': answering((found) => found.toReversed()),
      'the order of the secrets does not count': answering(([first, ...rest]) =>
        first === undefined ? [] : [first, ...rest.toReversed()],
      ),
      'it finds the most specific only': answering((found) => found.slice(0, 1)),
    },
    'takes Docker’s own registry for a bare name': {
      'a bare name has no registry': asking((request) =>
        request.image.includes('/') ? request : { ...request, image: `quay.io/${request.image}` },
      ),
      'every image is from there': asking((request) => ({ ...request, image: 'busybox' })),
    },
    'passes over a secret of another type': {
      'it does not look at the type': asking((request) => ({
        ...request,
        pullSecrets: request.pullSecrets.map((secret) => ({ ...secret, type: 'kubernetes.io/dockercfg' })),
      })),
    },
    'names a secret that cannot be read, and tells nothing of what is in it': {
      'it passes over it': findsNothingInstead,
      'the error has another code': otherCode,
      'the error does not name it': failing(() => new KubeletError('bad secret', { code: 'invalid-argument' })),
      'the error tells what is in it': failing(
        ({ message }) => new KubeletError(`${message}: "hunter2"`, { code: 'invalid-argument' }),
      ),
    },
    'refuses what is no image name': {
      'it finds nothing instead': findsNothingInstead,
      'the error has another code': otherCode,
    },
    'stops more than once, also before its start': {
      'a second stop is refused': refusesSecondStop('credentials'),
    },
  },
);
