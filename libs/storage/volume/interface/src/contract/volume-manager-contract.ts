import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@podwright/contract';
import { hasCode, messageOf } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import { VirtualClock } from '@podwright/time';
import type { Clock } from '@podwright/time';
import type { VolumeManager } from '../volume-manager.js';
import type { VolumePlugin } from '../volume-plugin.js';
import { createScriptedPlugin } from './scripted-plugin.js';

/** The dependencies of an instance under test. */
export interface VolumeManagerParts {
  readonly rootDir: string;
  readonly plugins: readonly VolumePlugin[];
  readonly lifecycle: PodLifecycle;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

export interface VolumeManagerHarness {
  readonly volumeManager: VolumeManager;
}

const never = new AbortController().signal;

function makePod(uid: string, used: readonly string[], others: readonly string[] = []): Pod {
  return {
    metadata: { name: uid, namespace: 'default', uid },
    spec: {
      volumes: [...used, ...others].map((name) => ({ name, emptyDir: {} })),
      containers: [{ name: 'main', volumeMounts: used.map((name) => ({ name, mountPath: `/${name}` })) }],
    },
  };
}

/**
 * Every implementation of {@link VolumeManager} passes this suite; `create` gives a new instance per case, not started.
 */
export function describeVolumeManagerContract(
  name: string,
  create: (parts: VolumeManagerParts) => Promise<VolumeManagerHarness>,
): void {
  describe(`${name} as a VolumeManager`, () => {
    const cleanUps: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const cleanUp of cleanUps.splice(0)) await cleanUp();
    });

    async function setUp(existing?: string) {
      const rootDir = existing ?? (await mkdtemp(join(tmpdir(), 'volume-manager-')));
      const clock = new VirtualClock();
      const plugin = createScriptedPlugin('kubernetes.io/scripted', (volume) => volume.emptyDir !== undefined);
      const recorded: { readonly reason: string; readonly message: string }[] = [];
      const alive = new Set<string>();
      const no = (): boolean => false;
      const lifecycle: PodLifecycle = {
        couldHaveRunningContainers: (podUid) => alive.has(podUid),
        isTerminationRequested: no,
        shouldContainersBeTerminating: no,
        shouldRuntimeBeRemoved: no,
        shouldContentBeRemoved: no,
        isKnownTerminated: no,
        isFinished: no,
      };
      const events: EventRecorder = {
        event: (_object, _type, reason, message) => void recorded.push({ reason, message }),
      };
      const { volumeManager } = await create({ rootDir, plugins: [plugin], lifecycle, events, clock });
      await volumeManager.start();
      cleanUps.push(async () => {
        try {
          await Promise.all([volumeManager.stop(), clock.advance(60_000)]);
        } finally {
          await rm(rootDir, { recursive: true, force: true });
        }
      });
      const podDirs = (): Promise<string[]> => readdir(join(rootDir, 'pods'));
      /** Advances the clock until the promise settles, at most by `limitMs`. */
      const outcomeOf = async (promise: Promise<void>, limitMs = 600_000): Promise<unknown> => {
        let outcome: { readonly value: unknown } | undefined;
        promise.then(
          () => (outcome = { value: 'done' }),
          (error: unknown) => (outcome = { value: error }),
        );
        await clock.runUntil(() => outcome !== undefined, limitMs);
        return outcome?.value;
      };
      return { rootDir, clock, plugin, recorded, alive, volumeManager, podDirs, outcomeOf };
    }

    it('mounts what containers use, in parallel, and nothing else', async () => {
      const { volumeManager, plugin, rootDir } = await setUp();
      const pod = makePod('p', ['a', 'b'], ['unused']);
      expect(volumeManager.getMountedVolumes('p')).toEqual([]);
      let waiting = 0;
      let open: () => void = () => undefined;
      const both = new Promise<void>((resolve) => (open = resolve));
      plugin.onCall = async () => {
        if (++waiting === 2) open();
        await both;
      };
      await volumeManager.waitForAttachAndMount(pod, never);
      expect([...plugin.calls].sort()).toEqual(['setUp a', 'setUp b']);
      const [first] = volumeManager.getMountedVolumes('p');
      expect(first).toMatchObject({
        name: 'a',
        readOnly: false,
        managed: true,
        selinuxRelabel: true,
        usage: 'tree',
      });
      expect(first?.hostPath.endsWith(join('pods/p/volumes/kubernetes.io~scripted/a'))).toBe(true);
      expect(await readdir(join(rootDir, 'pods/p/volumes/kubernetes.io~scripted'))).toEqual(['a', 'b']);
      await volumeManager.waitForAttachAndMount(pod, never);
      expect(plugin.calls).toHaveLength(2);
    });

    it('has nothing to do for a pod without volumes', async () => {
      const { volumeManager, plugin } = await setUp();
      await volumeManager.waitForAttachAndMount(makePod('p', []), never);
      await volumeManager.waitForUnmount(makePod('p', []), never);
      expect(await volumeManager.hasPossiblyMountedVolumes('p')).toBe(false);
      expect(plugin.calls).toEqual([]);
    });

    it('takes volumes down when their pod ends', async () => {
      const { volumeManager, plugin } = await setUp();
      const pod = makePod('p', ['a']);
      await volumeManager.waitForAttachAndMount(pod, never);
      expect(await volumeManager.hasPossiblyMountedVolumes('p')).toBe(true);
      await volumeManager.waitForUnmount(pod, never);
      expect(plugin.calls).toEqual(['setUp a', 'tearDown a']);
      expect(volumeManager.getMountedVolumes('p')).toEqual([]);
      expect(await volumeManager.hasPossiblyMountedVolumes('p')).toBe(false);
    });

    it('tries again with growing pauses, with an event each time', async () => {
      const { volumeManager, plugin, recorded, clock, outcomeOf } = await setUp();
      const times: number[] = [];
      plugin.onCall = async () => {
        times.push(clock.monotonic());
        if (times.length < 4) throw new Error('server is away');
      };
      expect(await outcomeOf(volumeManager.waitForAttachAndMount(makePod('p', ['a']), never))).toBe('done');
      expect(times).toEqual([0, 500, 1_500, 3_500]);
      const message = 'MountVolume.SetUp failed for volume "a" : server is away';
      expect(recorded).toEqual(Array.from({ length: 3 }, () => ({ reason: 'FailedMount', message })));
    });

    it('gives up after 2 min 3 s, in upstream’s words', async () => {
      const { volumeManager, plugin, clock, outcomeOf } = await setUp();
      plugin.onCall = async (call) => (call.endsWith('b') ? undefined : Promise.reject(new Error('no')));
      const error = await outcomeOf(volumeManager.waitForAttachAndMount(makePod('p', ['c', 'b', 'a']), never));
      expect(clock.monotonic()).toBe(123_000);
      expect(messageOf(error)).toBe(
        'unmounted volumes=[a c], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
      );
      expect(hasCode(error, 'deadline-exceeded')).toBe(true);
      expect(volumeManager.getMountedVolumes('p').map((volume) => volume.name)).toEqual(['b']);
    });

    it('stops waiting with the signal, and takes down what a set-up may have left', async () => {
      const { volumeManager, plugin, outcomeOf, clock } = await setUp();
      const pod = makePod('p', ['a']);
      plugin.onCall = async () => clock.sleep(10_000);
      const controller = new AbortController();
      const waiting = volumeManager.waitForAttachAndMount(pod, controller.signal);
      await clock.advance(1_000);
      controller.abort();
      const error = await outcomeOf(waiting);
      expect(clock.monotonic()).toBe(1_000);
      expect([messageOf(error), hasCode(error, 'cancelled')]).toEqual([
        expect.stringContaining('context canceled'),
        true,
      ]);
      expect(await volumeManager.hasPossiblyMountedVolumes('p')).toBe(true);
      expect(await outcomeOf(volumeManager.waitForUnmount(pod, never))).toBe('done');
      expect(plugin.calls).toEqual(['setUp a', 'tearDown a']); // the tearDown begins when the setUp has ended, after 10 s
      expect(clock.monotonic()).toBe(20_000);
    });

    it('unmounts at once what failed to mount a moment ago', async () => {
      const { volumeManager, plugin, outcomeOf, clock } = await setUp();
      const pod = makePod('p', ['a']);
      plugin.onCall = async (call) => (call === 'setUp a' ? Promise.reject(new Error('no')) : undefined);
      await outcomeOf(volumeManager.waitForAttachAndMount(pod, never));
      const gaveUpAt = clock.monotonic();
      await volumeManager.waitForUnmount(pod, never);
      expect([plugin.calls.at(-1), clock.monotonic()]).toEqual(['tearDown a', gaveUpAt]);
    });

    it('refuses a kind of volume that no plugin knows, at once', async () => {
      const { volumeManager, plugin, outcomeOf, clock } = await setUp();
      const pod = makePod('p', ['a']);
      const strange: Pod = { ...pod, spec: { ...pod.spec, volumes: [{ name: 'a', nfs: { server: 's', path: '/' } }] } };
      const error = await outcomeOf(volumeManager.waitForAttachAndMount(strange, never));
      expect(messageOf(error)).toBe(
        'unmounted volumes=[a], unattached volumes=[], failed to process volumes=[a]: failed to get Plugin from volumeSpec for volume "a" err=no volume plugin matched',
      );
      expect([hasCode(error, 'deadline-exceeded'), clock.monotonic(), plugin.calls]).toEqual([false, 0, []]);
    });

    it('lets a hung volume block neither other pods nor the stop', async () => {
      const { volumeManager, plugin, outcomeOf, clock } = await setUp();
      plugin.onCall = async (call) => (call === 'setUp hung' ? new Promise<void>(() => undefined) : undefined);
      const hung = volumeManager.waitForAttachAndMount(makePod('p', ['hung']), never);
      await volumeManager.waitForAttachAndMount(makePod('q', ['fine']), never);
      expect(messageOf(await outcomeOf(hung))).toContain('context deadline exceeded');
      expect(await outcomeOf(volumeManager.waitForAttachAndMount(makePod('p', ['hung']), never))).toBeInstanceOf(Error);
      expect(plugin.calls.filter((call) => call === 'setUp hung')).toHaveLength(1);
      const stopped = volumeManager.stop();
      await clock.advance(60_000);
      await stopped;
    });

    it('tries to unmount again, and says what is mounted still', async () => {
      const { volumeManager, plugin, outcomeOf, clock } = await setUp();
      const pod = makePod('p', ['a']);
      await volumeManager.waitForAttachAndMount(pod, never);
      plugin.onCall = async () => Promise.reject(new Error('busy'));
      const error = await outcomeOf(volumeManager.waitForUnmount(pod, never));
      expect(messageOf(error)).toBe('mounted volumes=[kubernetes.io/scripted/p-a]: context deadline exceeded');
      expect(volumeManager.getMountedVolumes('p')).toEqual([]); // uncertain: no container may have it
      plugin.onCall = async () => undefined;
      await clock.advance(130_000);
      expect(await outcomeOf(volumeManager.waitForUnmount(pod, never))).toBe('done');
    });

    describe('after a start', () => {
      async function restarted() {
        const before = await setUp();
        await before.volumeManager.waitForAttachAndMount(makePod('p', ['a']), never);
        await before.volumeManager.stop();
        return setUp(before.rootDir);
      }

      it('mounts again what is on disk before a container gets it', async () => {
        const { volumeManager, plugin } = await restarted();
        expect(await volumeManager.hasPossiblyMountedVolumes('p')).toBe(true);
        expect(volumeManager.getMountedVolumes('p')).toEqual([]);
        await volumeManager.waitForAttachAndMount(makePod('p', ['a']), never);
        expect(plugin.calls).toEqual(['setUp a']);
        expect(volumeManager.getMountedVolumes('p')).toHaveLength(1);
      });

      it('takes down what is on disk of a pod that ends', async () => {
        const { volumeManager, plugin } = await restarted();
        await volumeManager.waitForUnmount(makePod('p', ['a']), never);
        expect(plugin.calls).toEqual(['tearDown a']);
      });

      it('takes down and removes what nobody knows any more', async () => {
        const { volumeManager, plugin, podDirs } = await restarted();
        await volumeManager.removeOrphanedPodDirs(new Set(['p']));
        expect([await podDirs(), plugin.calls]).toEqual([['p'], []]);
        await volumeManager.removeOrphanedPodDirs(new Set());
        expect([await podDirs(), plugin.calls]).toEqual([[], ['tearDown a']]);
      });

      it('does not let housekeeping wait long for a volume that hangs', async () => {
        const { volumeManager, plugin, podDirs, outcomeOf, clock } = await restarted();
        plugin.onCall = () => new Promise(() => undefined);
        for (let sweeps = 0; sweeps < 3; sweeps++) await outcomeOf(volumeManager.removeOrphanedPodDirs(new Set()));
        expect([clock.monotonic() <= 2_000, plugin.calls, await podDirs()]).toEqual([true, ['tearDown a'], ['p']]);
      });
    });

    describe('orphaned directories', () => {
      it('go with what they hold, but not while the pod may run', async () => {
        const { volumeManager, rootDir, podDirs, alive } = await setUp();
        const podDir = join(rootDir, 'pods', 'gone');
        await mkdir(join(podDir, 'volumes'), { recursive: true });
        await mkdir(join(podDir, 'containers', 'main'), { recursive: true });
        await mkdir(join(podDir, 'volume-subpaths', 'a', 'main'), { recursive: true });
        await writeFile(join(podDir, 'volume-subpaths', 'a', 'main', '0'), '');
        await writeFile(join(podDir, 'containers', 'main', '0a1b2c3d'), 'terminated');
        await writeFile(join(podDir, 'etc-hosts'), '');
        alive.add('gone');
        await volumeManager.removeOrphanedPodDirs(new Set());
        expect(await podDirs()).toEqual(['gone']);
        alive.clear();
        await volumeManager.removeOrphanedPodDirs(new Set());
        expect(await podDirs()).toEqual([]);
      });

      it('stay when a volume in them is not empty and no plugin knows it', async () => {
        const { volumeManager, rootDir, podDirs } = await setUp();
        const volume = join(rootDir, 'pods', 'gone', 'volumes', 'kubernetes.io~strange', 'v');
        await mkdir(volume, { recursive: true });
        await writeFile(join(volume, 'data'), 'precious');
        await mkdir(join(rootDir, 'pods', 'other', 'volumes'), { recursive: true });
        await volumeManager.removeOrphanedPodDirs(new Set());
        expect(await podDirs()).toEqual(['gone']);
        expect(await readdir(volume)).toEqual(['data']);
      });
    });

    it('can be stopped twice', async () => {
      const { volumeManager } = await setUp();
      await Promise.all([volumeManager.stop(), volumeManager.stop()]);
    });
  });
}
