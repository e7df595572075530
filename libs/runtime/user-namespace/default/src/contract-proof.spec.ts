import { breaks, describeContractProof } from '@podwright/contract';
import { NamespaceMode } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { UserNamespaces } from '@podwright/user-namespace-interface';
import { describeUserNamespacesContract } from '@podwright/user-namespace-interface/contract';
import type { UserNamespacesHarness } from '@podwright/user-namespace-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';
import { unit } from './fixtures/host-users.js';

type Broken = (good: UserNamespacesHarness) => Partial<UserNamespacesHarness>;
type Answer = Awaited<ReturnType<UserNamespaces['getOrCreate']>>;

const broken =
  (replaced: (good: UserNamespaces) => Partial<UserNamespaces>): Broken =>
  ({ restart }) => ({
    restart: async () => {
      const good = await restart();
      return breaks(good, replaced(good));
    },
  });
const answering = (change: (answer: Answer, podUid: string) => Answer): Broken =>
  broken((good) => ({
    getOrCreate: async (pod, handler) => change(await good.getOrCreate(pod, handler), pod.metadata.uid ?? ''),
  }));
const shifted = (answer: Answer, by: number): Answer => {
  const ids = answer.uids?.map((range) => ({ ...range, hostId: (range.hostId ?? 0) + by })) ?? [];
  return { ...answer, uids: ids, gids: ids };
};
const rejects = (code: 'internal'): Broken =>
  broken((good) => ({
    getOrCreate: (pod, handler) =>
      good.getOrCreate(pod, handler).catch(() => Promise.reject(new KubeletError('no', { code }))),
  }));
const rangeForEachCall = broken((good) => {
  let calls = 0;
  return {
    getOrCreate: (pod, handler) =>
      good.getOrCreate({ ...pod, metadata: { ...pod.metadata, uid: `call-${calls++}` } }, handler),
  };
});
const releasesNothing = broken(() => ({ release: () => Promise.resolve() }));

describeContractProof(
  'UserNamespaces',
  (create) => describeUserNamespacesContract('broken UserNamespaces', create),
  createContractHarness,
  {
    'leaves a pod with hostUsers %s to the users of the node': {
      'the mode is that of a pod': answering((answer) => ({ ...answer, mode: NamespaceMode.POD })),
      'there is a mapping': answering((answer) => ({
        ...answer,
        uids: [{ hostId: unit, containerId: 0, length: unit }],
      })),
      'the handler needs user namespaces': broken((good) => ({
        getOrCreate: (pod, handler) => good.getOrCreate({ ...pod, spec: { ...pod.spec, hostUsers: false } }, handler),
      })),
      'a second stop is refused': broken((good) => {
        let stops = 0;
        return { stop: () => (stops++ === 0 ? good.stop() : Promise.reject(new Error('stopped already'))) };
      }),
    },
    'gives each pod ids of its own, none of them below those of one pod, and the same again': {
      'the mode is that of the node': answering((answer) => ({ ...answer, mode: NamespaceMode.NODE })),
      'the range is short': answering((answer) => ({
        ...answer,
        uids: answer.uids?.map((range) => ({ ...range, length: unit / 2 })) ?? [],
      })),
      'groups have other ids': answering((answer) => ({ ...answer, gids: shifted(answer, unit).gids ?? [] })),
      'the ids begin at those of root': answering((answer) => shifted(answer, -unit)),
      'the ranges overlap': answering((answer, podUid) => (podUid === 'b' ? shifted(answer, 1 - unit) : answer)),
      'each call makes a new range': rangeForEachCall,
    },
    'gives a pod one range although two ask at once': {
      'each gets its own': rangeForEachCall,
    },
    'keeps the ranges over a restart': {
      'they are only in memory': (good) => {
        let started = 0;
        return {
          restart: async () => {
            if (started++ > 0) await Promise.all(['a', 'b'].map((uid) => good.forget(uid)));
            return good.restart();
          },
        };
      },
      'a new pod gets the range of another': broken((good) => ({
        getOrCreate: (pod, handler) =>
          good.getOrCreate(
            pod.metadata.uid === 'c' ? { ...pod, metadata: { ...pod.metadata, uid: 'a' } } : pod,
            handler,
          ),
      })),
    },
    'refuses when no range is free, until one is released': {
      'two pods share a range': broken((good) => ({
        getOrCreate: (pod, handler) =>
          good
            .getOrCreate(pod, handler)
            .catch(() => good.getOrCreate({ ...pod, metadata: { ...pod.metadata, uid: 'p0' } }, handler)),
      })),
      'the error has another code': rejects('internal'),
      'release does nothing': releasesNothing,
      'another range is released': broken((good) => ({
        release: (podUid) => good.release(podUid === 'p0' ? 'p1' : podUid),
      })),
      'a second release is refused': broken((good) => {
        const released = new Set<string>();
        return {
          release: (podUid) => {
            if (released.has(podUid)) return Promise.reject(new Error('released already'));
            released.add(podUid);
            return good.release(podUid);
          },
        };
      }),
      'an unknown pod is refused': broken((good) => ({
        release: (podUid) =>
          podUid === 'never-seen' ? Promise.reject(new Error('unknown pod')) : good.release(podUid),
      })),
    },
    'forgets a released pod over a restart too': {
      'its file stays': releasesNothing,
    },
    'refuses a handler without user namespaces': {
      'it uses the default handler': broken((good) => ({ getOrCreate: (pod) => good.getOrCreate(pod, '') })),
      'the error has another code': rejects('internal'),
    },
    'releases the pods that nobody wants, and those without a directory': {
      'it releases none': broken(() => ({ releaseOrphans: () => Promise.resolve() })),
      'it releases all': broken((good) => ({ releaseOrphans: () => good.releaseOrphans(new Set()) })),
      'it keeps pods without a directory': broken((good) => {
        let calls = 0;
        return { releaseOrphans: (podUids) => (calls++ === 0 ? good.releaseOrphans(podUids) : Promise.resolve()) };
      }),
      'those that stay get new ranges': broken((good) => {
        let released = false;
        return {
          releaseOrphans: async (podUids) => {
            await good.releaseOrphans(podUids);
            released = true;
          },
          getOrCreate: async (pod, handler) => {
            const answer = await good.getOrCreate(pod, handler);
            return released && pod.metadata.uid === 'kept' ? shifted(answer, unit) : answer;
          },
        };
      }),
    },
  },
);
