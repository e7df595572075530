import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { KubeApiError, KubeClient, ObjectList } from '@podwright/kube-client-interface';
import { describeKubeClientContract, type KubeClientHarness } from '@podwright/kube-client-interface/contract';
import { onTestApiServer } from './fixtures/contract-harness.js';

type Broken = (good: KubeClientHarness) => Partial<KubeClientHarness>;

const broken = (replaced: (good: KubeClient) => Partial<KubeClient>): Broken => breaksIn('kubeClient', replaced);
/** One whose failed calls end otherwise. */
const failing = (end: (error: Error) => Promise<never>): Broken =>
  broken((good) => ({
    get: (...args) => good.get(...args).catch(end),
    getText: (...args) => good.getText(...args).catch(end),
    create: (...args) => good.create(...args).catch(end),
    update: (...args) => good.update(...args).catch(end),
  }));
const failingWith = (changed: Partial<KubeApiError>): Broken =>
  failing((error) => Promise.reject(Object.assign(error, changed)));
const swallowsFailures = failing(() => Promise.resolve({} as never));
const hasAnotherCode = failingWith({ code: 'internal' });
/** One that lists something else than it is asked for. */
const asking = (changed: Parameters<KubeClient['list']>[1]): Broken =>
  broken((good) => ({ list: (resource, options) => good.list(resource, { ...options, ...changed }) }));
const listing = (change: (list: ObjectList<never>, limit: number) => object): Broken =>
  broken((good) => ({
    list: async (resource, options) => {
      const list = await good.list(resource, options);
      return { ...list, ...change(list as ObjectList<never>, options?.limit ?? 0) };
    },
  }));
/** One that leaves a timer behind each call. */
const leaking = (replaced: (good: KubeClient, leak: () => void) => Partial<KubeClient>): Broken => {
  return ({ kubeClient, pendingTimers }) => {
    let timers = 0;
    const members = broken((good) => replaced(good, () => void timers++))({ kubeClient } as KubeClientHarness);
    return { ...members, pendingTimers: () => pendingTimers() + timers };
  };
};

describeContractProof(
  'KubeClient',
  (create) => describeKubeClientContract('a broken KubeClient', create),
  onTestApiServer,
  {
    'can be stopped twice, then refuses calls': {
      'a second stop is refused': refusesSecondStop('kubeClient'),
      'it answers after the stop': broken(() => ({ get: () => Promise.resolve({} as never) })),
      'it refuses with another code': hasAnotherCode,
      'it refuses with another error': failingWith({ name: 'AbortError' }),
    },
    'is healthy and names its server': {
      'it is not healthy': broken(() => ({ healthy: () => ({ ok: false, reason: 'no answer yet' }) })),
      'the server has no name': broken(() => ({ server: '' })),
    },
    'makes, reads, changes and deletes an object': {
      'what it makes has no kind': broken((good) => ({
        create: async (...args) => ({ ...(await good.create(...args)), kind: undefined }) as never,
      })),
      'it makes an empty one': broken((good) => ({
        create: (resource, { metadata }) => good.create(resource, { metadata } as never),
      })),
      'it reads another one': broken((good) => ({
        get: async (...args) => ({ ...(await good.get(...args)), data: {} }),
      })),
      'it reads nothing from a cache': broken((good) => ({
        get: (resource, name, options) =>
          options?.resourceVersion === '0' ? Promise.resolve({} as never) : good.get(resource, name, options),
      })),
      'it changes nothing': broken((good) => ({
        update: (resource, { metadata }) => good.get(resource, { namespace: 'default', name: metadata?.name ?? '' }),
      })),
      'the version stays': broken((good) => ({
        update: async (resource, object) => {
          const { metadata, ...updated } = await good.update(resource, object);
          return { ...updated, metadata: { ...metadata, resourceVersion: object.metadata?.resourceVersion } } as never;
        },
      })),
      'it deletes nothing': broken(() => ({ delete: () => Promise.resolve() })),
      'it refuses to read what is gone with another code': hasAnotherCode,
    },
    'deletes all objects that the selectors name, and no others': {
      'it deletes nothing': broken(() => ({ deleteCollection: () => Promise.resolve() })),
      'it overlooks the labels': broken((good) => ({
        deleteCollection: (resource, { labelSelector: _labels, ...options } = {}) =>
          good.deleteCollection(resource, options),
      })),
      'it overlooks the fields': broken((good) => ({
        deleteCollection: (resource, { fieldSelector: _fields, ...options } = {}) =>
          good.deleteCollection(resource, options),
      })),
      'it overlooks the namespace': broken((good) => ({
        deleteCollection: async (resource, options) => {
          await good.deleteCollection(resource, options);
          await good.deleteCollection(resource, { ...options, namespace: 'kube-system' });
        },
      })),
      'it refuses when there is nothing': broken((good) => {
        let calls = 0;
        return {
          deleteCollection: (...args) =>
            ++calls > 2 ? Promise.reject(new Error('not found')) : good.deleteCollection(...args),
        };
      }),
    },
    'patches with a %s patch': {
      'it changes nothing': broken((good) => ({ patch: (resource, name) => good.get(resource, name) })),
      'it replaces the whole': broken((good) => ({
        patch: async (...args) => ({ ...(await good.patch(...args)), data: { new: 'x' } }),
      })),
    },
    'changes a subresource alone': {
      'it changes the object': broken((good) => ({
        patch: (resource, name, patch) => good.patch(resource, name, patch),
      })),
      'it changes both': broken((good) => ({
        patch: async (resource, name, patch, options) => {
          await good.patch(resource, name, patch);
          return good.patch(resource, name, patch, options);
        },
      })),
    },
    'posts to a subresource, whose answer is of another kind': {
      'the answer is the object': broken((good) => ({
        createSubresource: (resource, name) => good.get(resource, name) as Promise<never>,
      })),
      'the answer is what was sent': broken(() => ({
        createSubresource: (_resource, _name, body) => Promise.resolve(body as never),
      })),
    },
    'lists page by page, by namespace and by selectors': {
      'it lists one page': listing(({ items }, limit) => ({ items: items.slice(0, limit || undefined) })),
      'a page without a limit is empty': broken((good) => ({
        list: (resource, options) =>
          good.list(resource, {
            ...options,
            labelSelector: options?.limit === 0 ? 'none' : (options?.labelSelector ?? ''),
          }),
      })),
      'it lists all namespaces': asking({ namespace: '' }),
      'it does not look at labels': asking({ labelSelector: '' }),
      'it does not look at fields': asking({ fieldSelector: '' }),
      'the list has no version': listing(() => ({ metadata: { resourceVersion: '' } })),
      'the items have no kind': listing(({ items }) => ({
        items: (items as readonly object[]).map((item) => ({ ...item, kind: undefined })),
      })),
    },
    'refuses with a KubeApiError: %s': {
      'it does not refuse': swallowsFailures,
      'the error is another one': failingWith({ name: 'KubeletError' }),
      'the code is another one': hasAnotherCode,
      'the reason is another one': failingWith({ reason: 'Unknown' }),
      'the message is lost': failingWith({ message: 'the call failed' }),
    },
    'reads any path as text': {
      'it reads JSON': broken((good) => ({ getText: async (...args) => JSON.stringify(await good.getText(...args)) })),
      'what is not there is empty': failing(() => Promise.resolve('' as never)),
      'the code is another one': hasAnotherCode,
    },
    'leaves no timer behind a call': {
      'it leaves one behind an answer': leaking((good, leak) => ({
        list: (...args) => {
          leak();
          return good.list(...args);
        },
      })),
      'it leaves one behind a failure': leaking((good, leak) => ({
        get: (...args) => {
          leak();
          return good.get(...args);
        },
      })),
    },
  },
);
