import { breaksIn, describeContractProof, type Breakages } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { ConfigMap, Pod, Secret } from '@podwright/kube-types';
import type { ReferencedObjectManager } from '@podwright/referenced-objects-interface';
import {
  describeConfigMapManagerContract,
  describeSecretManagerContract,
  describeStandaloneObjectsContract,
  type ReferencedObjectHarness,
} from '@podwright/referenced-objects-interface/contract';
import { createConfigMapHarness, createSecretHarness } from './fixtures/contract-harness.js';
import { createStandaloneSecretManager } from './standalone-objects.module.js';

const changed = (pod: Pod, metadata: Pod['metadata']): Pod => ({ ...pod, metadata: { ...pod.metadata, ...metadata } });

function breakages<T extends Secret | ConfigMap>(): Breakages<() => Promise<ReferencedObjectHarness<T>>> {
  type Manager = ReferencedObjectManager<T>;
  type Broken = (good: ReferencedObjectHarness<T>) => Partial<ReferencedObjectHarness<T>>;
  const broken = (replaced: (good: Manager) => Partial<Manager>): Broken => breaksIn('manager', replaced);
  const getting = (replaced: (get: Manager['get']) => Manager['get']): Broken =>
    broken((good) => ({ get: replaced((...asked) => good.get(...asked)) }));
  const refusing = (message: string): Broken =>
    getting(
      (get) =>
        (...asked) =>
          get(...asked).catch(() => Promise.reject(new Error(message))),
    );
  /** The first answer, and the first failure, for good. */
  const asksOnce = getting((get) => {
    let first: Promise<T> | undefined;
    return (...asked) => (first ??= get(...asked));
  });
  const onlyOnce = (what: 'registerPod' | 'unregisterPod'): Broken =>
    broken((good) => {
      let calls = 0;
      return {
        [what]: (pod: Pod) => {
          if (++calls === 2) throw new Error(`pod ${pod.metadata?.name ?? ''} twice`);
          good[what](pod);
        },
      };
    });

  return {
    'rejects for an object that is not there': {
      'it gives an empty one': getting(
        (get) =>
          (...asked) =>
            get(...asked).catch(() => ({}) as T),
      ),
      'its error has no code': refusing('there is no "missing"'),
      'its error does not name the object': refusing('not found'),
    },
    'gives the object of the right namespace': {
      'it looks in another': broken((good) => ({
        registerPod: (pod) => good.registerPod(changed(pod, { namespace: 'other' })),
        get: (_namespace, name) => good.get('other', name),
      })),
    },
    'notices what changes, for as long as one of several pods refers to the object': {
      'it notices nothing': asksOnce,
      'it forgets the object with the first pod that goes': broken((good) => ({
        unregisterPod: (pod) => {
          for (const uid of ['u1', 'u2']) good.unregisterPod(changed(pod, { name: `web-${uid}`, uid }));
        },
      })),
    },
    'shows a pod what was written before it came, also when another asked before that': {
      'it remembers that there was none': asksOnce,
    },
    'gives an immutable object as well as any other': {
      'it gives none': getting((get) => async (...asked) => {
        const found = await get(...asked);
        return found.immutable === true ? Promise.reject(new Error('it is immutable')) : found;
      }),
      'it gives it once': getting((get) => {
        let calls = 0;
        return async (...asked) => ({ ...(await get(...asked)), ...(calls++ > 0 && { data: {} }) });
      }),
    },
    'bears registrations in any order, twice and without their counterpart': {
      'a pod can be registered once': onlyOnce('registerPod'),
      'a pod can be unregistered once': onlyOnce('unregisterPod'),
    },
  };
}

describeContractProof(
  'SecretManager',
  (create) => describeSecretManagerContract('a broken SecretManager', create),
  () => createSecretHarness('Watch'),
  breakages(),
);

describeContractProof(
  'ConfigMapManager',
  (create) => describeConfigMapManagerContract('a broken ConfigMapManager', create),
  () => createConfigMapHarness('Watch'),
  breakages(),
);

interface Standalone {
  readonly manager: ReferencedObjectManager<Secret>;
}
const refusing = (error: Error): ((good: Standalone) => Partial<Standalone>) =>
  breaksIn('manager', () => ({ get: () => Promise.reject(error) }));
const unknown = (pod: Pod): never => {
  throw new Error(`pod ${pod.metadata.name ?? ''} is not known, or known already`);
};

describeContractProof(
  'ReferencedObjectManager without an API server',
  (create) => describeStandaloneObjectsContract('a broken manager', create),
  async (): Promise<Standalone> => ({ manager: createStandaloneSecretManager() }),
  {
    'says that there is no API server, and which object was asked for': {
      'it gives an empty one': breaksIn('manager', () => ({ get: () => Promise.resolve({}) })),
      'its error has no code': refusing(new Error('secret "default/missing" cannot be read')),
      'its error does not name the object': refusing(new KubeletError('standalone', { code: 'failed-precondition' })),
    },
    'bears registrations twice and without their counterpart': {
      'it refuses registrations': breaksIn('manager', () => ({ registerPod: unknown })),
      'it refuses their counterpart': breaksIn('manager', () => ({ unregisterPod: unknown })),
    },
  },
);
