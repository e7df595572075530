import { describe, expect, it } from '@podwright/contract';
import type { EventRecorder } from '@podwright/events-interface';
import type { Pod } from '@podwright/kube-types';
import { VirtualClock } from '@podwright/time';
import type { Clock } from '@podwright/time';
import type { PodConfig, PodSource, PodUpdate } from '../pod-config.js';
import type { DeliverPods, PodSourceReader } from '../pod-source-reader.js';

/** The dependencies of an instance under test. */
export interface PodConfigParts {
  readonly sources: readonly PodSourceReader[];
  readonly events: EventRecorder;
  readonly clock: Clock;
}

export interface PodConfigHarness {
  readonly podConfig: PodConfig;
}

interface Changes {
  readonly spec?: Pod['spec'];
  readonly status?: NonNullable<Pod['status']>;
  readonly metadata?: Pod['metadata'];
}

function pod(name: string, changes: Changes = {}): Pod {
  return {
    metadata: { name, namespace: 'default', uid: `uid-${name}`, ...changes.metadata },
    spec: changes.spec ?? { containers: [{ name: 'main' }] },
    ...(changes.status !== undefined && { status: changes.status }),
  };
}

/** Objects from a source are immutable: freezing them makes a case fail when an implementation changes one. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Every implementation of {@link PodConfig} passes this suite; `create` gives a new instance per case, not started. */
export function describePodConfigContract(
  name: string,
  create: (parts: PodConfigParts) => Promise<PodConfigHarness>,
): void {
  describe(`${name} as a PodConfig`, () => {
    async function setUp(sources: readonly PodSource[] = ['file', 'api']) {
      const clock = new VirtualClock();
      const deliveries = new Map<PodSource, DeliverPods>();
      const stopped: PodSource[] = [];
      const recorded: { readonly reason: string; readonly message: string }[] = [];
      const readers = sources.map<PodSourceReader>((source) => ({
        source,
        open: async (deliver) => void deliveries.set(source, deliver),
        close: async () => void stopped.push(source),
      }));
      const events: EventRecorder = {
        event: (_object, _type, reason, message) => void recorded.push({ reason, message }),
      };
      const { podConfig } = await create({ sources: readers, events, clock });
      await podConfig.start();
      const updates: PodUpdate[] = [];
      const deliver = (source: PodSource, ...pods: Pod[]): void => deliveries.get(source)?.(deepFreeze(pods));
      const remember = (source: PodSource, ...pods: Pod[]): void =>
        deliveries.get(source)?.(deepFreeze(pods), 'remembered');
      const seen = (): string[] =>
        updates
          .splice(0)
          .map(({ op, source, pods }) => [source, op, ...pods.map(({ metadata }) => metadata.name)].join(' '));
      const watch = (): void => void podConfig.watch((update) => updates.push(update));
      return { podConfig, clock, deliver, remember, updates, seen, watch, stopped, recorded };
    }

    it('adds pods with the annotations of their source, stamped when first seen', async () => {
      const { deliver, watch, updates, clock } = await setUp();
      watch();
      await clock.advance(1_500);
      deliver('file', pod('a', { metadata: { annotations: { own: 'x' } } }));
      const added = updates[0]?.pods[0];
      expect(added?.metadata.annotations).toEqual({
        own: 'x',
        'kubernetes.io/config.source': 'file',
        'kubernetes.io/config.seen': '2026-01-01T00:00:01.500000000Z',
      });
    });

    it('tells REMOVE, ADD, UPDATE, DELETE and RECONCILE apart, in this order', async () => {
      const { deliver, watch, seen } = await setUp();
      watch();
      deliver('api', pod('same'), pod('gone'), pod('changed'), pod('deleted'), pod('status'));
      expect(seen()).toEqual(['api ADD same gone changed deleted status']);
      deliver(
        'api',
        pod('status', { status: { phase: 'Running' } }),
        pod('deleted', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 } }),
        pod('changed', { metadata: { labels: { app: 'web' } } }),
        pod('new'),
        pod('same'),
      );
      expect(seen()).toEqual([
        'api REMOVE gone',
        'api ADD new',
        'api UPDATE changed',
        'api DELETE deleted',
        'api RECONCILE status',
      ]);
      deliver('api', pod('same'), pod('new'));
      expect(seen()).toEqual(['api REMOVE status deleted changed']);
    });

    it.each<[string, Changes]>([
      ['spec', { spec: { containers: [{ name: 'main', image: 'other' }] } }],
      ['labels', { metadata: { labels: { a: 'b' } } }],
      ['annotations', { metadata: { annotations: { a: 'b' } } }],
      ['the config hash', { metadata: { annotations: { 'kubernetes.io/config.hash': 'b' } } }],
    ])('updates when %s changed, and keeps the time of first sight', async (_what, changes) => {
      const { deliver, watch, updates, seen, clock } = await setUp();
      watch();
      deliver('api', pod('a'));
      const first = updates[0]?.pods[0]?.metadata.annotations;
      seen();
      await clock.advance(1_000);
      deliver('api', pod('a', changes));
      expect(updates.map(({ op }) => op)).toEqual(['UPDATE']);
      expect(updates[0]?.pods[0]).toMatchObject(changes);
      expect(updates[0]?.pods[0]?.metadata.annotations).toMatchObject({ ...first, ...changes.metadata?.annotations });
      seen();
      deliver('api', pod('a', changes));
      expect(seen()).toEqual([]);
    });

    it('does not compare the annotations that the kubelet writes itself', async () => {
      const { deliver, watch, seen } = await setUp();
      watch();
      deliver('api', pod('a'));
      seen();
      const annotations = {
        'kubernetes.io/config.source': 'x',
        'kubernetes.io/config.seen': 'y',
        'kubernetes.io/config.mirror': 'z',
      };
      deliver('api', pod('a', { metadata: { annotations } }));
      expect(seen()).toEqual([]);
    });

    it('replaces nothing but the status on RECONCILE', async () => {
      const { deliver, watch, updates, seen } = await setUp();
      watch();
      deliver('api', pod('a'));
      const added = updates[0]?.pods[0];
      seen();
      deliver('api', pod('a', { status: { phase: 'Running' } }));
      expect(updates[0]?.pods[0]).toEqual({ ...added, status: { phase: 'Running' } });
    });

    it('adds a pod that is new although it is being deleted already', async () => {
      const { deliver, watch, seen } = await setUp();
      watch();
      deliver('api', pod('a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }));
      expect(seen()).toEqual(['api ADD a']);
    });

    it('keeps sources apart', async () => {
      const { deliver, watch, seen } = await setUp();
      watch();
      deliver('file', pod('a'));
      deliver('api', pod('b'));
      deliver('api');
      expect(seen()).toEqual(['file ADD a', 'api ADD b', 'api REMOVE b']);
    });

    it('sends an empty ADD for a first delivery without news, once', async () => {
      const { deliver, watch, seen } = await setUp();
      watch();
      deliver('file');
      deliver('file');
      expect(seen()).toEqual(['file ADD']);
    });

    it('drops the later of two pods with one name, with an event', async () => {
      const { deliver, watch, updates, recorded } = await setUp();
      watch();
      deliver('file', pod('a'), pod('a', { metadata: { uid: 'uid-2' } }));
      expect(updates.map(({ op, pods }) => [op, ...pods.map(({ metadata }) => metadata.uid)])).toEqual([
        ['ADD', 'uid-a'],
      ]);
      expect(recorded).toEqual([
        {
          reason: 'FailedValidation',
          message: 'Error validating pod a_default(uid-2) from file due to duplicate pod name "a", ignoring',
        },
      ]);
    });

    it('holds what was delivered before anybody listened', async () => {
      const { deliver, watch, seen } = await setUp();
      deliver('file', pod('a'));
      deliver('file', pod('b'));
      watch();
      expect(seen()).toEqual(['file ADD b']);
    });

    it('is ready when each source has delivered and was marked seen', async () => {
      const { podConfig, deliver, watch } = await setUp();
      watch();
      expect(podConfig.allSourcesReady()).toBe(false);
      deliver('file');
      podConfig.markSeen('file');
      podConfig.markSeen('api');
      expect(podConfig.allSourcesReady()).toBe(false);
      deliver('api', pod('a'));
      expect(podConfig.allSourcesReady()).toBe(true);
    });

    it('is not ready while a source that has delivered was not marked seen', async () => {
      const { podConfig, deliver, watch } = await setUp();
      watch();
      deliver('file');
      deliver('api');
      podConfig.markSeen('file');
      expect(podConfig.allSourcesReady()).toBe(false);
      podConfig.markSeen('api');
      expect(podConfig.allSourcesReady()).toBe(true);
    });

    it('starts what a source remembers, but is ready only when the loop has its word, which decides', async () => {
      const { podConfig, deliver, remember, watch, seen, recorded } = await setUp(['api']);
      watch();
      remember('api', pod('same'), pod('gone'), pod('changed'));
      expect(seen()).toEqual(['api ADD same gone changed']);
      podConfig.markSeen('api');
      expect(podConfig.allSourcesReady()).toBe(false);
      expect(recorded.map(({ reason }) => reason)).toEqual(['APIServerAway', 'APIServerAway', 'APIServerAway']);
      deliver('api', pod('same'), pod('changed', { metadata: { labels: { app: 'web' } } }), pod('new'));
      expect(seen()).toEqual(['api REMOVE gone', 'api ADD new', 'api UPDATE changed']);
      expect(podConfig.allSourcesReady()).toBe(false);
      expect(recorded.slice(3).map(({ reason }) => reason)).toEqual(['APIServerBack', 'APIServerBack']);
      podConfig.markSeen('api');
      expect(podConfig.allSourcesReady()).toBe(true);
    });

    it('sends an empty ADD when a source has what it remembers', async () => {
      const { podConfig, deliver, remember, watch, seen } = await setUp(['api']);
      remember('api', pod('same'));
      watch();
      expect(seen()).toEqual(['api ADD same']);
      deliver('api', pod('same'));
      expect(seen()).toEqual(['api ADD']);
      podConfig.markSeen('api');
      expect(podConfig.allSourcesReady()).toBe(true);
    });

    it('is ready at once without sources', async () => {
      const { podConfig } = await setUp([]);
      expect(podConfig.allSourcesReady()).toBe(true);
    });

    it('stops its sources, twice if asked, and is silent afterwards', async () => {
      const { podConfig, deliver, watch, seen, stopped } = await setUp();
      watch();
      await podConfig.stop();
      await podConfig.stop();
      deliver('file', pod('a'));
      expect(seen()).toEqual([]);
      expect(new Set(stopped)).toEqual(new Set(['file', 'api']));
    });
  });
}
