import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { ServiceAccountToken, ServiceAccountTokens } from '@podwright/service-account-token-interface';
import {
  describeServiceAccountTokensContract,
  describeStandaloneServiceAccountTokensContract,
  type ServiceAccountTokensHarness,
} from '@podwright/service-account-token-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';
import { createStandaloneServiceAccountTokens } from './standalone-service-account-tokens.module.js';

type Broken = (good: ServiceAccountTokensHarness) => Partial<ServiceAccountTokensHarness>;

const broken = (
  replaced: (good: ServiceAccountTokens, harness: ServiceAccountTokensHarness) => Partial<ServiceAccountTokens>,
): Broken => breaksIn('tokens', replaced);

const neverTwice = broken((good) => {
  let count = 0;
  return {
    get: async (...asked) => {
      const given = await good.get(...asked);
      return { ...given, token: `${given.token}, copy ${count++}` };
    },
  };
});
const alwaysTheFirst = broken((good) => {
  let first: Promise<ServiceAccountToken> | undefined;
  return { get: (...asked) => (first ??= good.get(...asked)) };
});

describeContractProof(
  'ServiceAccountTokens',
  (create) => describeServiceAccountTokensContract('broken ServiceAccountTokens', create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('tokens'),
    },
    'gives the same token again while it is fresh': {
      'each is new': neverTwice,
    },
    'gives tokens for other audiences apart, and a new one to a pod that was deleted': {
      'all audiences get one': broken((good) => ({
        get: (namespace, serviceAccount, spec) => {
          const { audiences: _, ...rest } = spec;
          return good.get(namespace, serviceAccount, rest);
        },
      })),
      'that of a deleted pod lives on': broken(() => ({ deletePod: () => undefined })),
      'any deleted pod ends it': broken((good) => ({ deletePod: () => good.deletePod('u1') })),
      'a pod cannot be deleted twice': broken((good) => {
        const deleted = new Set<string>();
        return {
          deletePod: (podUid) => {
            if (deleted.has(podUid)) throw new Error(`pod ${podUid} is unknown`);
            deleted.add(podUid);
            good.deletePod(podUid);
          },
        };
      }),
    },
    'replaces a token in time, keeps it while no other can be had, and gives none that has expired': {
      'it replaces it at once': neverTwice,
      'it never replaces it': alwaysTheFirst,
      'it does not keep it while no other can be had': breaksIn('api', (api, { tokens }) => ({
        setBroken: (failing) => {
          tokens.deletePod('u1');
          api.setBroken(failing);
        },
      })),
      'it gives one that has expired': broken((good) => {
        let last: Promise<ServiceAccountToken> | undefined;
        return {
          get: (...asked) => {
            const before = last;
            return (last = good.get(...asked).catch((error: unknown) => before ?? Promise.reject(error)));
          },
        };
      }),
    },
  },
);

type Standalone = Pick<ServiceAccountTokensHarness, 'tokens'>;
const standalone = (
  replaced: (good: ServiceAccountTokens) => Partial<ServiceAccountTokens>,
): ((good: Standalone) => Partial<Standalone>) => breaksIn('tokens', replaced);

describeContractProof(
  'ServiceAccountTokens without an API server',
  (create) => describeStandaloneServiceAccountTokensContract('broken ServiceAccountTokens', create),
  async (): Promise<Standalone> => ({ tokens: createStandaloneServiceAccountTokens() }),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('tokens'),
    },
    'says that there is no API server, and has no token of a pod to forget': {
      'it gives an empty one': standalone(() => ({
        get: () => Promise.resolve({ token: '', expirationTimestamp: '' }),
      })),
      'its error has no code': standalone(() => ({ get: () => Promise.reject(new Error('standalone')) })),
      'it does not know the pod': standalone(() => ({
        deletePod: (podUid) => {
          throw new Error(`pod ${podUid} is unknown`);
        },
      })),
    },
  },
);
