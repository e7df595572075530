import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import {
  describeVolumeManagerContract,
  type VolumeManagerHarness,
  type VolumeManagerParts,
} from '@podwright/volume-interface/contract';
import type { MountedVolume, VolumeManager, VolumeMounter, VolumePlugin } from '@podwright/volume-interface';
import { createContractHarness } from './fixtures/contract-harness.js';
import type { VolumeManagerConfig } from './volume-manager-config.js';

type Broken = (
  good: VolumeManagerHarness,
  parts: VolumeManagerParts,
) => Partial<VolumeManagerHarness> | Promise<VolumeManagerHarness>;

const broken =
  (replaced: (good: VolumeManager, parts: VolumeManagerParts) => Partial<VolumeManager>): Broken =>
  (harness, parts) =>
    breaksIn<VolumeManagerHarness, 'volumeManager'>('volumeManager', (good) => replaced(good, parts))(harness);
/** One that gets other parts, or other times, than the suite gives it. */
const madeOf =
  (change: (parts: VolumeManagerParts) => Partial<VolumeManagerParts>): Broken =>
  (_good, parts) =>
    createContractHarness({ ...parts, ...change(parts) });
const configured =
  (options: Partial<VolumeManagerConfig>): Broken =>
  (_good, parts) =>
    createContractHarness(parts, options);
const plugged = (change: (plugin: VolumePlugin) => Partial<VolumePlugin>): Broken =>
  madeOf(({ plugins }) => ({ plugins: plugins.map((plugin) => breaks(plugin, change(plugin))) }));
const mounting = (change: (mounter: VolumeMounter) => Partial<VolumeMounter>): Broken =>
  plugged((plugin) => ({
    newMounter: (spec) => {
      const mounter = plugin.newMounter(spec);
      return breaks(mounter, change(mounter));
    },
  }));

type Wait = VolumeManager['waitForUnmount'];
const mount = (replaced: (good: VolumeManager, parts: VolumeManagerParts) => Wait): Broken =>
  broken((good, parts) => ({ waitForAttachAndMount: replaced(good, parts) }));
const unmount = (replaced: (good: VolumeManager, parts: VolumeManagerParts) => Wait): Broken =>
  broken((good, parts) => ({ waitForUnmount: replaced(good, parts) }));
const showing = (change: (mounted: readonly MountedVolume[]) => readonly MountedVolume[]): Broken =>
  broken((good) => ({ getMountedVolumes: (uid) => change(good.getMountedVolumes(uid)) }));
const failing = (change: (message: string) => Error): Broken =>
  broken((good) => {
    const changed =
      (wait: Wait): Wait =>
      (...asked) =>
        wait(...asked).catch((error: unknown) => Promise.reject(change(messageOf(error))));
    return {
      waitForAttachAndMount: changed((...asked) => good.waitForAttachAndMount(...asked)),
      waitForUnmount: changed((...asked) => good.waitForUnmount(...asked)),
    };
  });
const sweeping = (sweep: (good: VolumeManager, parts: VolumeManagerParts) => Promise<void>): Broken =>
  broken((good, parts) => ({
    removeOrphanedPodDirs: async (known) => {
      await good.removeOrphanedPodDirs(known);
      await sweep(good, parts);
    },
  }));

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';
const mountsAll = (pod: Pod): Pod => {
  const volumeMounts = (pod.spec.volumes ?? []).map(({ name }) => ({ name, mountPath: `/${name}` }));
  return { ...pod, spec: { ...pod.spec, containers: [{ name: 'main', volumeMounts }] } };
};
const mountsOne = (pod: Pod, name: string): Pod => ({
  ...pod,
  spec: { ...pod.spec, containers: [{ name: 'main', volumeMounts: [{ name, mountPath: `/${name}` }] }] },
});

const inOtherWords = failing(() => new KubeletError('timed out', { code: 'deadline-exceeded' }));
const withoutCode = failing((message) => new Error(message));
const showsNothing = showing(() => []);
const neverMounted = broken(() => ({ hasPossiblyMountedVolumes: () => Promise.resolve(false) }));
const alwaysMounted = broken(() => ({ hasPossiblyMountedVolumes: () => Promise.resolve(true) }));
const unmountsNothing = unmount(() => () => Promise.resolve());
const sweepsNothing = broken(() => ({ removeOrphanedPodDirs: () => Promise.resolve() }));
/** One that shows what it showed at any time. */
const showsWhatWas = broken((good) => {
  let last: readonly MountedVolume[] = [];
  return {
    waitForAttachAndMount: async (pod, signal) => {
      await good.waitForAttachAndMount(pod, signal);
      last = good.getMountedVolumes(uidOf(pod));
    },
    getMountedVolumes: () => last,
  };
});

describeContractProof(
  'VolumeManager',
  (create) => describeVolumeManagerContract('a broken VolumeManager', create),
  (parts: VolumeManagerParts) => createContractHarness(parts),
  {
    'mounts what containers use, in parallel, and nothing else': {
      'it mounts all volumes of the pod': mount(
        (good) => (pod, signal) => good.waitForAttachAndMount(mountsAll(pod), signal),
      ),
      'it mounts one after the other': mount((good) => async (pod, signal) => {
        for (const name of ['a', 'b']) await good.waitForAttachAndMount(mountsOne(pod, name), signal);
      }),
      'it mounts anew what is mounted': mount((good) => async (pod, signal) => {
        await good.waitForUnmount(pod, signal);
        await good.waitForAttachAndMount(pod, signal);
      }),
      'it shows none': showsNothing,
      'it shows them before they are mounted': showing(() => [
        { name: 'a', hostPath: '', readOnly: false, managed: true, selinuxRelabel: true },
      ]),
      'it takes them for those of the machine': mounting(() => ({ managed: false })),
      'it shows another path': showing((mounted) => mounted.map((volume) => ({ ...volume, hostPath: '/other' }))),
      'it does not set them up': mounting(() => ({ setUp: () => Promise.resolve() })),
    },
    'has nothing to do for a pod without volumes': {
      'it mounts what nobody uses': mount((good) => (pod, signal) => {
        const volumes = [{ name: 'a', emptyDir: {} }];
        return good.waitForAttachAndMount(mountsAll({ ...pod, spec: { ...pod.spec, volumes } }), signal);
      }),
      'it does not know the pod when that ends': unmount(() => () => Promise.reject(new Error('no such pod'))),
      'something may be mounted': alwaysMounted,
    },
    'takes volumes down when their pod ends': {
      'it leaves them': unmountsNothing,
      'nothing was ever mounted': neverMounted,
      'it shows what is gone': showsWhatWas,
      'what is gone may be mounted': alwaysMounted,
    },
    'tries again with growing pauses, with an event each time': {
      'it pauses for the same time': configured({ maxRetryMs: 500 }),
      'it does not pause for long': configured({ retryMs: 100 }),
      'there is no event': madeOf(() => ({ events: { event: () => undefined } })),
      'the event has no reason': madeOf(({ events }) => ({
        events: { event: (object, type, _reason, message) => events.event(object, type, 'Failed', message) },
      })),
      'the event says nothing': madeOf(({ events }) => ({
        events: { event: (object, type, reason) => events.event(object, type, reason, '') },
      })),
      'it does not try again': configured({ retryMs: 600_000, maxRetryMs: 600_000 }),
    },
    'gives up after 2 min 3 s, in upstream’s words': {
      'it gives up after 2 min': configured({ waitTimeoutMs: 120_000 }),
      'its words are others': inOtherWords,
      'its error has no code': withoutCode,
      'it shows none of those that are mounted': showsNothing,
      'it shows those that are not': showing((mounted) => [...mounted, ...mounted]),
    },
    'stops waiting with the signal, and takes down what a set-up may have left': {
      'it does not look at the signal': mount(
        (good) => (pod) => good.waitForAttachAndMount(pod, new AbortController().signal),
      ),
      'its words are others': inOtherWords,
      'its error has no code': withoutCode,
      'nothing may be mounted': neverMounted,
      'it leaves what there is': unmountsNothing,
      'it takes down what is still being set up': unmount(
        (_good, { plugins, rootDir }) =>
          async (pod) =>
            plugins[0]?.tearDown(join(rootDir, 'pods', uidOf(pod)), 'a'),
      ),
    },
    'unmounts at once what failed to mount a moment ago': {
      'it pauses before': unmount((good, { clock }) => async (pod, signal) => {
        await clock.sleep(500);
        await good.waitForUnmount(pod, signal);
      }),
      'it leaves what there is': unmountsNothing,
    },
    'refuses a kind of volume that no plugin knows, at once': {
      'any plugin will do': plugged(() => ({ canSupport: () => true })),
      'it waits for one': mount((good, { clock }) => async (pod, signal) => {
        const error: unknown = await good.waitForAttachAndMount(pod, signal).catch((thrown: unknown) => thrown);
        await clock.sleep(1_000);
        throw error;
      }),
      'its words are others': failing(() => new Error('no volume plugin matched')),
      'its error says that it waited': failing((message) => new KubeletError(message, { code: 'deadline-exceeded' })),
    },
    'lets a hung volume block neither other pods nor the stop': {
      'other pods wait for it': mount((good) => {
        let before: Promise<void> = Promise.resolve();
        return (pod, signal) => (before = before.then(() => good.waitForAttachAndMount(pod, signal)));
      }),
      'it is set up again beside': mount((good, parts) => {
        const hanging = new Set<string>();
        return async (pod, signal) => {
          const other = hanging.has(uidOf(pod)) ? (await createContractHarness(parts)).volumeManager : good;
          hanging.add(uidOf(pod));
          await other.waitForAttachAndMount(pod, signal);
        };
      }),
      'who waits for it waits for ever': configured({ waitTimeoutMs: 600_001 }),
      'the stop waits for it': broken((good) => {
        let stops = 0;
        return { stop: () => (stops++ === 0 ? new Promise(() => undefined) : good.stop()) };
      }),
    },
    'tries to unmount again, and says what is mounted still': {
      'its words are others': inOtherWords,
      'it shows what a container may not have': showsWhatWas,
      'it gives up for good': unmount((good) => {
        let first: Promise<void> | undefined;
        return (pod, signal) => (first ??= good.waitForUnmount(pod, signal));
      }),
    },
    'after a start mounts again what is on disk before a container gets it': {
      'it does not look at the disk': neverMounted,
      'it takes what is on disk for mounted': mount((good) => async (pod, signal) => {
        if (!(await good.hasPossiblyMountedVolumes(uidOf(pod)))) await good.waitForAttachAndMount(pod, signal);
      }),
      'it shows what is on disk': showing((mounted) =>
        mounted.length > 0
          ? mounted
          : [{ name: 'a', hostPath: '', readOnly: false, managed: true, selinuxRelabel: true }],
      ),
    },
    'after a start takes down what is on disk of a pod that ends': {
      'it takes down only what it has mounted': unmount((good) => async (pod, signal) => {
        if (good.getMountedVolumes(uidOf(pod)).length > 0) await good.waitForUnmount(pod, signal);
      }),
    },
    'after a start takes down and removes what nobody knows any more': {
      'it leaves all': sweepsNothing,
      'it removes what is known': broken((good) => ({
        removeOrphanedPodDirs: () => good.removeOrphanedPodDirs(new Set()),
      })),
      'it removes without taking down': broken((good, { rootDir }) => ({
        removeOrphanedPodDirs: async (known) => {
          if (!known.has('p')) await rm(join(rootDir, 'pods', 'p'), { recursive: true });
          await good.removeOrphanedPodDirs(known);
        },
      })),
    },
    'after a start does not let housekeeping wait long for a volume that hangs': {
      'each sweep waits long': sweeping((_good, { clock }) => clock.sleep(1_000)),
      'each sweep tries again': sweeping(async (_good, { plugins, rootDir }) => {
        void plugins[0]?.tearDown(join(rootDir, 'pods', 'p'), 'a');
      }),
      'it does not try': sweepsNothing,
      'it removes the directory': sweeping((_good, { rootDir }) =>
        rm(join(rootDir, 'pods', 'p'), { recursive: true, force: true }),
      ),
    },
    'orphaned directories go with what they hold, but not while the pod may run': {
      'they go while it may': madeOf(({ lifecycle }) => ({
        lifecycle: breaks(lifecycle, { couldHaveRunningContainers: () => false }),
      })),
      'they stay': sweepsNothing,
    },
    'orphaned directories stay when a volume in them is not empty and no plugin knows it': {
      'they go': sweeping((_good, { rootDir }) => rm(join(rootDir, 'pods', 'gone'), { recursive: true })),
      'what is in the volume goes': sweeping((_good, { rootDir }) =>
        rm(join(rootDir, 'pods/gone/volumes/kubernetes.io~strange/v/data')),
      ),
      'others stay too': sweepsNothing,
    },
    'can be stopped twice': {
      'a second stop is refused': refusesSecondStop('volumeManager'),
    },
  },
);
