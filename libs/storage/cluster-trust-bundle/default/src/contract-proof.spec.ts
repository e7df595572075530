import type { ClusterTrustBundles } from '@podwright/cluster-trust-bundle-interface';
import {
  describeClusterTrustBundlesContract,
  describeStandaloneClusterTrustBundlesContract,
  type ClusterTrustBundlesHarness,
} from '@podwright/cluster-trust-bundle-interface/contract';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { createContractHarness } from './fixtures/bundle-harness.js';
import { createStandaloneClusterTrustBundles } from './standalone-cluster-trust-bundles.module.js';

type Broken = (good: ClusterTrustBundlesHarness) => Partial<ClusterTrustBundlesHarness>;

const broken = (replaced: (good: ClusterTrustBundles) => Partial<ClusterTrustBundles>): Broken =>
  breaksIn('bundles', replaced);
const named = (change: (answer: string, calls: number) => string): Broken =>
  broken((good) => {
    let calls = 0;
    return { byName: async (...asked) => change(await good.byName(...asked), ++calls) };
  });
const signed = (bySigner: (good: ClusterTrustBundles) => ClusterTrustBundles['bySigner']): Broken =>
  broken((good) => ({ bySigner: bySigner(good) }));
const inOtherWords = (): Promise<never> => Promise.reject(new Error('no such bundle'));
const anchors = (text: string): readonly string[] => text.split(/(?<=-----END CERTIFICATE-----\n)/);

describeContractProof(
  'ClusterTrustBundles',
  (create) => describeClusterTrustBundlesContract('broken ClusterTrustBundles', create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('bundles'),
    },
    'rejects for a bundle that is not there unless that is allowed': {
      'a name may always be missing': broken((good) => ({ byName: (name) => good.byName(name, true) })),
      'a name may never be missing': broken((good) => ({ byName: (name) => good.byName(name, false) })),
      'the bundles of a signer may always be missing': signed(
        (good) => (name, labels) => good.bySigner(name, labels, true),
      ),
      'the bundles of a signer may never be missing': signed(
        (good) => (name, labels) => good.bySigner(name, labels, false),
      ),
      'its error about a name has no code': broken((good) => ({
        byName: (...asked) => good.byName(...asked).catch(inOtherWords),
      })),
      'its error about a signer has no code': signed(
        (good) =>
          (...asked) =>
            good.bySigner(...asked).catch(inOtherWords),
      ),
    },
    'gives each anchor once, without what stands around it, and follows changes': {
      'it gives one twice': named((answer) => `${answer}${anchors(answer)[0]}`),
      'it leaves one out': named((answer) => anchors(answer)[0] ?? ''),
      'comments stay': named((answer) => `# comment\n${answer}`),
      'the order changes with each call': named((answer, calls) =>
        calls % 2 === 0 ? anchors(answer).toReversed().join('') : answer,
      ),
      'it follows no change': broken((good) => {
        let first: Promise<string> | undefined;
        return { byName: (...asked) => (first ??= good.byName(...asked)) };
      }),
    },
    'joins the bundles of a signer that match the selector; no selector matches none': {
      'it does not look at the selector': signed(
        (good) => (name, _labels, allowMissing) => good.bySigner(name, {}, allowMissing),
      ),
      'it does not look at the signer': ({ put }) => ({
        put: (bundle) => put({ ...bundle, signerName: 'x.io/y' }),
      }),
      'it gives the first only': signed(
        (good) =>
          async (...asked) =>
            anchors(await good.bySigner(...asked))[0] ?? '',
      ),
      'no selector matches all': signed(
        (good) => (name, labels, allowMissing) => good.bySigner(name, labels ?? {}, allowMissing),
      ),
      'its error has other words than upstream’s': signed(
        (good) =>
          (...asked) =>
            good.bySigner(...asked).catch(inOtherWords),
      ),
    },
  },
);

type Standalone = Pick<ClusterTrustBundlesHarness, 'bundles'>;
const standalone = (
  replaced: (good: ClusterTrustBundles) => Partial<ClusterTrustBundles>,
): ((good: Standalone) => Partial<Standalone>) => breaksIn('bundles', replaced);

describeContractProof(
  'ClusterTrustBundles without an API server',
  (create) => describeStandaloneClusterTrustBundlesContract('broken ClusterTrustBundles', create),
  async (): Promise<Standalone> => ({ bundles: createStandaloneClusterTrustBundles() }),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('bundles'),
    },
    'says that there is no API server, whether a bundle may be missing: %j': {
      'it takes a bundle for empty': standalone(() => ({ byName: () => Promise.resolve('') })),
      'it takes the bundles of a signer for empty': standalone(() => ({ bySigner: () => Promise.resolve('') })),
      'its error about a name has no code': standalone(() => ({ byName: inOtherWords })),
      'its error about a signer has no code': standalone(() => ({ bySigner: inOtherWords })),
    },
  },
);
