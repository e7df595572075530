import { afterAll } from '@jest/globals';
import type { CertificateManager, CertificatePair } from '@podwright/cert-rotation-interface';
import {
  describeCertificateManagerContract,
  type CertificateManagerHarness,
} from '@podwright/cert-rotation-interface/contract';
import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { TestCluster } from '@podwright/test-cluster';
import { createRotationHarness, removeFolders } from './fixtures/rotation-harness.js';
import { createContractHarness } from './fixtures/rotation.js';

type Broken = (good: CertificateManagerHarness) => Partial<CertificateManagerHarness>;
type Listener = Parameters<CertificateManager['watch']>[0];

const broken = (replaced: (good: CertificateManager) => Partial<CertificateManager>): Broken =>
  breaksIn('manager', replaced);
const telling = (tell: (listener: Listener, pair: CertificatePair) => void): Broken =>
  broken((good) => ({ watch: (listener) => good.watch((pair) => tell(listener, pair)) }));
/** One that gives a changed pair to those who ask and to those who listen. */
const having = (changed: Partial<CertificatePair>): Broken =>
  broken((good) => ({
    current: () => {
      const pair = good.current();
      return pair && { ...pair, ...changed };
    },
    watch: (listener) => good.watch((pair) => listener({ ...pair, ...changed })),
  }));
const hasOneBefore = broken(() => ({
  current: () => ({ certificate: '', privateKey: '', notBeforeMs: 0, notAfterMs: 1 }),
}));

describeContractProof(
  'CertificateManager',
  (create) => describeCertificateManagerContract('a broken CertificateManager', create),
  async () => createContractHarness(await createRotationHarness((clock) => new TestCluster({ clock, sign: false }))),
  {
    'can be stopped before it was started, and twice': {
      'it has a certificate before': hasOneBefore,
      'a stop before the start does not end': broken(() => ({ stop: () => new Promise(() => undefined) })),
      'a second stop is refused': refusesSecondStop('manager'),
      'its health cannot be asked for': broken(() => ({
        healthy: () => {
          throw new Error('not started');
        },
      })),
    },
    'has no certificate before there is one': {
      'it has an empty one': hasOneBefore,
      'it is healthy without': broken(() => ({ healthy: () => ({ ok: true }) })),
    },
    'keeps those who wait for it only while it is being made': {
      'nothing is being made before the start': broken((good) => {
        let isStarted = false;
        const start = (): Promise<void> => good.start().then(() => void (isStarted = true));
        return { start, made: () => (isStarted ? Promise.resolve() : new Promise(() => undefined)) };
      }),
      'a requested one is waited for': broken((good) => ({
        made: () => new Promise((resolve) => good.watch(() => resolve())),
      })),
      'a failure is one of those who wait': broken(() => ({ made: () => Promise.reject(new Error('no room')) })),
      'it is not there then': ({ manager }) => ({
        makes: true,
        manager: breaks(manager, { made: () => Promise.resolve() }),
      }),
      'who asks after the stop waits forever': broken((good) => {
        let isOver = false;
        const stop = (): Promise<void> => good.stop().then(() => void (isOver = true));
        return { stop, made: () => (isOver ? new Promise(() => undefined) : Promise.resolve()) };
      }),
    },
    'gives the certificate with its key and times, and tells its listeners once': {
      'the start waits for the certificate': broken((good) => ({
        start: () => good.start().then(() => new Promise<void>((resolve) => good.watch(() => resolve()))),
      })),
      'the certificate is not PEM': having({ certificate: 'MIIB' }),
      'the key is not PEM': having({ privateKey: 'MIGH' }),
      'the times are lost': having({ notBeforeMs: 0, notAfterMs: 0 }),
      'nobody is told': telling(() => undefined),
      'each is told twice': telling((listener, pair) => [1, 2].forEach(() => listener(pair))),
      'the listeners get no key': telling((listener, pair) => listener({ ...pair, privateKey: '' })),
      'it waits for something still': broken(() => ({ waitingFor: () => 'the request waits for approval' })),
      'it is not healthy': broken(() => ({ healthy: () => ({ ok: false, reason: 'no certificate' }) })),
    },
    'takes up the next certificate, and tells nobody who has left': {
      'it keeps the first': broken((good) => {
        let first: CertificatePair | undefined;
        return { current: () => (first ??= good.current()) };
      }),
      'it tells about the first alone': broken((good) => ({
        watch: (listener) => {
          const leave = good.watch((pair) => {
            leave();
            listener(pair);
          });
          return leave;
        },
      })),
      'who has left is told still': broken((good) => ({
        watch: (listener) => {
          good.watch(listener);
          return () => undefined;
        },
      })),
      'who leaves twice takes another one along': broken((good) => {
        const others: (() => void)[] = [];
        return {
          watch: (listener) => {
            const leave = good.watch(listener);
            others.push(leave);
            let left = false;
            return () => {
              for (const each of left ? others : [leave]) each();
              left = true;
            };
          },
        };
      }),
    },
    'leaves no timer behind': {
      'the stop does nothing': broken(() => ({ stop: () => Promise.resolve() })),
    },
  },
);

afterAll(removeFolders);
