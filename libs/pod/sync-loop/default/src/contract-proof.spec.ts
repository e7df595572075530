import { breaksIn, describeContractProof } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { Bootstrap } from '@podwright/sync-loop-interface';
import { describeSyncLoopContract } from '@podwright/sync-loop-interface/contract';
import type { SyncLoopHarness } from '@podwright/sync-loop-interface/contract';
import { createWorld, type World } from './fixtures/world.js';

type Broken = (good: World) => Partial<World>;
type Operation = Parameters<SyncLoopHarness['deliver']>[0];

const broken = (replaced: (good: Bootstrap, world: World) => Partial<Bootstrap>): Broken =>
  breaksIn('bootstrap', replaced);
/** It takes other differences than the sources report. */
const taking =
  (change: (op: Operation, pods: readonly Pod[], deliver: World['deliver']) => void): Broken =>
  ({ deliver }) => ({ deliver: (op, pods) => change(op, pods, deliver) });
const dropping = (dropped: Operation): Broken =>
  taking((op, pods, deliver) => (op === dropped ? undefined : deliver(op, pods)));
const endsWith = (more: (world: World) => void): Broken =>
  broken((good, world) => ({
    run: async (signal) => {
      await good.run(signal);
      more(world);
    },
  }));
const healthyFor =
  (ms: number): Broken =>
  (world) => {
    let passedMs = 0;
    return {
      ...broken((good) => ({ healthy: () => (passedMs < ms ? good.healthy() : { ok: false, reason: 'stalled' }) }))(
        world,
      ),
      advance: async (moreMs) => {
        await world.advance(moreMs);
        passedMs += moreMs;
      },
    };
  };
const returning = (change: (results: Awaited<ReturnType<Bootstrap['runOnce']>>) => typeof results): Broken =>
  broken((good) => ({ runOnce: async (options) => change(await good.runOnce(options)) }));

describeContractProof(
  'SyncLoop',
  (create) => describeSyncLoopContract('a broken SyncLoop', create),
  async () => createWorld(),
  {
    'says that it starts': {
      'it says nothing': broken(() => ({ birthCry: () => undefined })),
      'it says so twice': broken((good) => ({
        birthCry: () => {
          good.birthCry();
          good.birthCry();
        },
      })),
    },
    'hands what the sources say to the workers, in order': {
      'it loses additions': dropping('ADD'),
      'it loses updates': dropping('UPDATE'),
      'it loses deletions': dropping('DELETE'),
      'it loses removals': dropping('REMOVE'),
      'a deletion is a removal': taking((op, pods, deliver) => deliver(op === 'DELETE' ? 'REMOVE' : op, pods)),
      'it adds pods in another order': taking((op, pods, deliver) => deliver(op, pods.toReversed())),
    },
    'removes nothing before all sources are ready, and no stray containers either': {
      'it does not wait for the sources': ({ setSourcesReady }) => ({ setSourcesReady: () => setSourcesReady(true) }),
      'it kills stray containers at once': ({ updates }) => ({
        addRunning: (podUid) => (updates as string[]).push(`kill-running ${podUid} grace=1`),
      }),
      'it never kills them': () => ({ addRunning: () => undefined }),
    },
    'ends a static pod that its source no longer has, also before other sources are ready': {
      'it waits for the other sources': dropping('REMOVE'),
      'it does not wait with other pods': ({ setSourcesReady }) => ({ setSourcesReady: () => setSourcesReady(true) }),
    },
    'syncs a pod that is due, as long as it is wanted': {
      'it does nothing': () => ({ due: () => undefined }),
      'it syncs one that is not wanted': ({ handler }) => ({
        due: (uid) => handler.handlePodSyncs([{ metadata: { name: uid, uid }, spec: { containers: [] } }]),
      }),
    },
    'waits while the runtime has errors, and then misses nothing': {
      'it does not wait': () => ({ setRuntimeErrors: () => undefined }),
      'it misses what comes meanwhile': (world) => {
        let failing = false;
        return {
          ...taking((op, pods, deliver) => (failing ? undefined : deliver(op, pods)))(world),
          setRuntimeErrors: (errors) => {
            failing = errors.length > 0;
            world.setRuntimeErrors(errors);
          },
        };
      },
      'it waits on when they are over': ({ setRuntimeErrors }) => ({
        setRuntimeErrors: (errors) => (errors.length > 0 ? setRuntimeErrors(errors) : undefined),
      }),
    },
    'leaves containers alone when it ends': {
      'it kills them': endsWith(({ handler }) =>
        handler.handlePodRemoves([{ metadata: { uid: 'a' }, spec: { containers: [] } }]),
      ),
      'it goes on': broken((good) => ({
        run: (signal) => {
          void good.run(new AbortController().signal);
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
        },
      })),
      'it does not end': broken((good) => ({ run: () => good.run(new AbortController().signal) })),
    },
    'is healthy while it turns': {
      'it is not before its first turn': healthyFor(0),
      'it is not after a while': healthyFor(1_000),
    },
    'runs once: returns when every pod runs or has ended, with what is wrong': {
      'it does not wait': broken(() => ({ runOnce: () => Promise.resolve([]) })),
      'it waits as long as it may': broken((good, { clock }) => ({
        runOnce: async (options) => {
          await clock.sleep(options.timeoutMs);
          return good.runOnce(options);
        },
      })),
      'it leaves out a pod that has ended': returning((results) => results.slice(0, 2)),
      'it finds nothing wrong': returning((results) => results.map(({ pod }) => ({ pod }))),
      'it takes success for a failure': returning((results) => results.map(({ pod }) => ({ pod, error: 'ended' }))),
    },
    'runs once: gives up on what does not get ready': {
      'it waits on': broken(() => ({ runOnce: () => new Promise(() => undefined) })),
      'it finds nothing wrong': returning((results) => results.map(({ pod }) => ({ pod }))),
      'it does not say what it is': returning((results) => results.map((each) => ({ ...each, error: 'not ready' }))),
    },
  },
);
