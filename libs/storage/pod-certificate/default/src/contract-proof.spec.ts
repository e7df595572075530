import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { CredentialBundle, PodCertificates } from '@podwright/pod-certificate-interface';
import {
  describePodCertificatesContract,
  describeStandalonePodCertificatesContract,
  type PodCertificatesHarness,
} from '@podwright/pod-certificate-interface/contract';
import { KubeletError } from '@podwright/errors';
import { createContractHarness } from './fixtures/certificate-harness.js';
import { createStandalonePodCertificates } from './standalone-pod-certificates.module.js';

type Broken = (good: PodCertificatesHarness) => Partial<PodCertificatesHarness>;

const broken = (replaced: (good: PodCertificates) => Partial<PodCertificates>): Broken =>
  breaksIn('podCertificates', replaced);
const bundled = (change: (bundle: CredentialBundle) => CredentialBundle): Broken =>
  broken((good) => ({ credentialBundle: (...source) => change(good.credentialBundle(...source)) }));
/** Throws another code than it should. */
const inOtherCode = broken((good) => ({
  credentialBundle: (...source) => {
    try {
      return good.credentialBundle(...source);
    } catch {
      throw new KubeletError('no', { code: 'internal' });
    }
  },
}));
const afterFailure = (bundle: CredentialBundle): Broken =>
  broken((good) => ({
    credentialBundle: (...source) => {
      try {
        return good.credentialBundle(...source);
      } catch {
        return bundle;
      }
    },
  }));
const nothing = { privateKey: '', certificateChain: '' };
/** Forgets the pod before it tracks it, so everything begins anew. */
const anew = broken((good) => ({
  trackPod: (pod) => {
    good.forgetPod(pod.metadata.uid ?? '');
    good.trackPod(pod);
  },
}));

describeContractProof(
  'PodCertificates',
  (create) => describePodCertificatesContract('broken PodCertificates', create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('podCertificates'),
    },
    'has nothing until the certificate is issued': {
      'there is something at once': afterFailure(nothing),
      'its error has another code': inOtherCode,
      'nothing is ever requested': broken(() => ({ trackPod: () => undefined })),
    },
    'requests no certificate of a pod that it does not track, and has none': {
      'there is something': afterFailure(nothing),
      'its error has another code': inOtherCode,
      'a pod is tracked as soon as it is there': (good) => ({
        createPod: async (sources) => {
          const pod = await good.createPod(sources);
          good.podCertificates.trackPod(pod);
          return pod;
        },
      }),
    },
    'gives each source a key and a certificate that belong together': {
      'all sources have the first bundle': broken((good) => ({
        credentialBundle: (pod, volume) => good.credentialBundle(pod, volume, 0),
      })),
      'key and certificate are of different sources': broken((good) => ({
        credentialBundle: (pod, volume, index) => ({
          ...good.credentialBundle(pod, volume, index),
          privateKey: good.credentialBundle(pod, volume, 1 - index).privateKey,
        }),
      })),
      'there is text around the key': bundled((bundle) => ({ ...bundle, privateKey: `# ${bundle.privateKey}` })),
      'there is text around the certificate': bundled((bundle) => ({
        ...bundle,
        certificateChain: `${bundle.certificateChain}\n`,
      })),
    },
    'takes the answer %s for the last word': {
      'its error has another code': inOtherCode,
      'it begins anew': (good) => ({
        passLife: async () => {
          const pod = await good.createPod(1);
          good.podCertificates.trackPod(pod);
          await good.passLife();
        },
      }),
      'there is something': afterFailure(nothing),
    },
    'requests one certificate, however often it is told of the pod': { 'it begins anew each time': anew },
    'renews with a new key, and has the old one until then': {
      'it never renews': broken((good) => {
        let first: CredentialBundle | undefined;
        return { credentialBundle: (...source) => (first ??= good.credentialBundle(...source)) };
      }),
      'there is nothing while it renews': broken((good) => {
        let calls = 0;
        return { credentialBundle: (...source) => (++calls === 2 ? nothing : good.credentialBundle(...source)) };
      }),
      'the key stays': broken((good) => {
        let key: string | undefined;
        return {
          credentialBundle: (...source) => {
            const bundle = good.credentialBundle(...source);
            return { ...bundle, privateKey: (key ??= bundle.privateKey) };
          },
        };
      }),
      'the certificate stays': broken((good) => {
        let chain: string | undefined;
        return {
          credentialBundle: (...source) => {
            const bundle = good.credentialBundle(...source);
            return { ...bundle, certificateChain: (chain ??= bundle.certificateChain) };
          },
        };
      }),
    },
    'forgets a pod, and takes it for a new one after that': {
      'it forgets nothing': broken(() => ({ forgetPod: () => undefined })),
      'it forgets for ever': broken((good) => {
        const forgotten = new Set<string>();
        return {
          forgetPod: (uid) => {
            forgotten.add(uid);
            good.forgetPod(uid);
          },
          trackPod: (pod) => {
            if (!forgotten.has(pod.metadata.uid ?? '')) good.trackPod(pod);
          },
        };
      }),
      'a second time is refused': broken((good) => {
        const forgotten = new Set<string>();
        return {
          forgetPod: (uid) => {
            if (forgotten.has(uid)) throw new Error('unknown');
            forgotten.add(uid);
            good.forgetPod(uid);
          },
        };
      }),
    },
  },
);

type Standalone = Pick<PodCertificatesHarness, 'podCertificates'>;
const standalone = (
  replaced: (good: PodCertificates) => Partial<PodCertificates>,
): ((good: Standalone) => Partial<Standalone>) => breaksIn('podCertificates', replaced);

describeContractProof(
  'PodCertificates without an API server',
  (create) => describeStandalonePodCertificatesContract('broken PodCertificates', create),
  async (): Promise<Standalone> => ({ podCertificates: createStandalonePodCertificates() }),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('podCertificates'),
    },
    'says that nothing requests certificates': {
      'there is something': standalone(() => ({ credentialBundle: () => nothing })),
      'its error has no code': standalone(() => ({
        credentialBundle: () => {
          throw new Error('no');
        },
      })),
      'it cannot forget': standalone(() => ({
        forgetPod: () => {
          throw new Error('unknown');
        },
      })),
    },
  },
);
