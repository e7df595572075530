import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { Informer, InformerChange, InformerOptions, KubeObject } from '@podwright/kube-client-interface';
import { describeInformerContract, type KubeClientHarness } from '@podwright/kube-client-interface/contract';
import { onTestApiServer } from './fixtures/contract-harness.js';

type Broken = (good: KubeClientHarness) => Partial<KubeClientHarness>;
type AnyInformer = Informer<KubeObject>;
type Change = InformerChange<KubeObject>;

const broken = (replaced: (good: AnyInformer) => Partial<AnyInformer>): Broken =>
  breaksIn('kubeClient', ({ inform }) => ({
    inform: (resource, options) => {
      const good = inform(resource, options) as unknown as AnyInformer;
      return breaks(good, replaced(good)) as never;
    },
  }));
/** One that is asked for something else. */
const asking = (changed: Omit<InformerOptions<never>, 'transform'>): Broken =>
  breaksIn('kubeClient', ({ inform }) => ({
    inform: (resource, options) => inform(resource, { ...options, ...changed }),
  }));
const telling = (told: (change: Change) => readonly Change[]): Broken =>
  broken((good) => ({ watch: (listener) => good.watch((change) => told(change).forEach(listener)) }));
const tellsNothingOf = (type: Change['type']): Broken => telling((change) => (change.type === type ? [] : [change]));
const lease: KubeObject = { metadata: { namespace: 'default', name: 'x' } };
const doesNotStop = broken(() => ({ stop: () => Promise.resolve() }));
const hasNoVersion = broken(() => ({ resourceVersion: () => '' }));

describeContractProof(
  "KubeClient's informers",
  (create) => describeInformerContract('a broken KubeClient', create),
  onTestApiServer,
  {
    'know nothing before the start': {
      'they have synced': broken(() => ({ hasSynced: () => true })),
      'they know something': broken(() => ({ list: () => [lease] })),
      'they have a version': broken(() => ({ resourceVersion: () => '0' })),
      'they tell at once': broken((good) => ({
        watch: (listener) => {
          listener({ type: 'replaced' });
          return good.watch(listener);
        },
      })),
    },
    'report what there is, one by one, then that they have it all': {
      'a second start is refused': broken((good) => {
        let starts = 0;
        return {
          start: () => {
            if (++starts > 1) throw new Error('started already');
            good.start();
          },
        };
      }),
      'they never have synced': broken(() => ({ hasSynced: () => false })),
      'nobody learns that they have synced': broken(() => ({
        synced: () => Promise.reject(new Error('not in time')),
      })),
      'they do not report what there is': tellsNothingOf('added'),
      'they do not tell that this is all': tellsNothingOf('replaced'),
      'they know nothing': broken(() => ({ list: () => [] })),
      'they do not find what there is': broken(() => ({ get: () => undefined })),
      'what they find has no kind': broken((good) => ({
        get: (...name) => {
          const found = good.get(...name);
          return found && { ...found, kind: '' };
        },
      })),
      'they find what there is not': broken((good) => ({ get: (...name) => good.get(...name) ?? lease })),
      'they have no version': hasNoVersion,
    },
    'report changes in their order, after the store has them': {
      'they do not report what is new': tellsNothingOf('added'),
      'they do not report an update': tellsNothingOf('updated'),
      'they do not report a deletion': tellsNothingOf('deleted'),
      'an update has the new object twice': telling((change) => [
        change.type === 'updated' ? { ...change, old: change.object } : change,
      ]),
      'an update has the old object twice': telling((change) => [
        change.type === 'updated' ? { ...change, object: change.old } : change,
      ]),
      'the store is one change late': broken((good) => {
        let next: KubeObject | undefined;
        return {
          get: (...name) => {
            const found = next;
            next = good.get(...name);
            return found;
          },
        };
      }),
      'the version stays': hasNoVersion,
    },
    'keep to their namespace and selectors': {
      'they do not look at the namespace': asking({ namespace: '' }),
      'they do not look at fields': asking({ fieldSelector: '' }),
      'they do not look at labels': asking({ labelSelector: '' }),
    },
    'keep what the transform makes, without the managed fields by default': {
      'the managed fields stay': breaksIn('kubeClient', ({ inform }) => ({
        inform: (resource, options) => inform(resource, { transform: (object) => object, ...options }),
      })),
      'there is nothing left': breaksIn('kubeClient', ({ inform }) => ({
        inform: (resource, options) => inform(resource, { ...options, transform: () => ({}) as never }),
      })),
      'the transform is not used': breaksIn('kubeClient', ({ inform }) => ({
        inform: (resource, { transform: _transform, ...options } = {}) => inform(resource, options),
      })),
    },
    'go on when a listener throws, and leave one that has gone alone': {
      'who throws keeps the news from the others': broken((good) => {
        const listeners = new Set<(change: Change) => void>();
        good.watch((change) => listeners.forEach((listener) => listener(change)));
        return {
          watch: (listener) => {
            listeners.add(listener);
            return () => void listeners.delete(listener);
          },
        };
      }),
      'who throws ends the informer': broken((good) => ({
        watch: (listener) =>
          good.watch((change) => {
            try {
              listener(change);
            } catch (error) {
              void good.stop();
              throw error;
            }
          }),
      })),
      'who has gone is told still': broken((good) => ({
        watch: (listener) => {
          good.watch(listener);
          return () => undefined;
        },
      })),
    },
    'stay fresh over the hours': {
      'they end after an hour': ({ kubeClient, advance }) => {
        const informers: Informer<never>[] = [];
        return {
          kubeClient: breaks(kubeClient, {
            inform: (...args) => {
              const informer = kubeClient.inform(...args);
              informers.push(informer as unknown as Informer<never>);
              return informer;
            },
          }),
          advance: async (ms) => {
            await advance(ms);
            if (ms > 3_600_000) await Promise.all(informers.map((informer) => informer.stop()));
          },
        };
      },
      'each change is told twice': telling((change) => [change, change]),
    },
    'leave nothing behind their stop but what they know': {
      'a second stop is refused': broken((good) => {
        let stops = 0;
        return { stop: () => (++stops > 1 ? Promise.reject(new Error('stopped already')) : good.stop()) };
      }),
      'they do not stop': doesNotStop,
      'they forget': broken((good) => {
        let stopped = false;
        return {
          stop: () => {
            stopped = true;
            return good.stop();
          },
          list: () => (stopped ? [] : good.list()),
        };
      }),
      'they start again': ({ kubeClient }) => ({
        kubeClient: breaks(kubeClient, {
          inform: (...args) => {
            const first = kubeClient.inform(...args);
            let current = first;
            let stopped = false;
            return breaks(first, {
              start: () => {
                if (stopped) current = kubeClient.inform(...args);
                current.start();
              },
              stop: () => {
                stopped = true;
                return first.stop();
              },
              list: () => current.list(),
            });
          },
        }),
      }),
    },
    'stop with their client': {
      'the client leaves them alone': breaksIn('kubeClient', () => ({ stop: () => Promise.resolve() })),
      'a stopped client starts new ones': ({ kubeClient }) => {
        const informers: { stop(): Promise<void> }[] = [];
        return {
          kubeClient: breaks(kubeClient, {
            inform: (...args) => {
              const informer = kubeClient.inform(...args);
              informers.push(informer);
              return informer;
            },
            stop: async () => void (await Promise.all(informers.map((informer) => informer.stop()))),
          }),
        };
      },
    },
    'say that they did not sync in time': {
      'they say that they did': broken(() => ({ synced: () => Promise.resolve() })),
      'they say something else': broken((good) => ({
        synced: (signal) => good.synced(signal).catch(() => Promise.reject(new Error('no answer'))),
      })),
    },
  },
);
