import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { transientFailure, uncertainProgress } from '@podwright/volume-interface';
import { SharedVolumeHarness } from './fixtures/shared-volume-harness.js';

describe('volumes that pods share', () => {
  const { signal: never } = new AbortController();
  let harness: SharedVolumeHarness;
  beforeEach(async () => {
    harness = await SharedVolumeHarness.create();
    harness.persistentVolume('d');
  });
  afterEach(() => harness.close());

  /** What became of a wait, once the clock has gone on as far as it needs. */
  const outcomeOf = async (waiting: Promise<void>): Promise<string> => {
    let outcome: string | undefined;
    waiting.then(
      () => (outcome = 'done'),
      (error: unknown) => (outcome = messageOf(error)),
    );
    await harness.clock.runUntil(() => outcome !== undefined, 600_000);
    return outcome ?? 'waits';
  };
  const settled = (): Promise<void> => harness.clock.advance(0);

  async function mounted(...uids: readonly string[]) {
    const manager = await harness.start();
    for (const uid of uids) {
      const waiting = manager.waitForAttachAndMount(harness.pod(uid), never);
      await settled();
      harness.reportAndAttach();
      await waiting;
    }
    return manager;
  }

  it('are reported in use first, then attached, then mounted for the node and for the pod', async () => {
    const manager = await harness.start();
    let told = 0;
    manager.attachments.watch(() => told++);
    const waiting = manager.waitForAttachAndMount(harness.pod('a'), never);
    await settled();
    expect([manager.attachments.list(), told, harness.calls]).toEqual([['kubernetes.io/shared/d'], 1, []]);
    harness.attached = ['kubernetes.io/shared/d'];
    harness.nodeChanged();
    await settled();
    expect(harness.calls).toEqual([]); // attached, but nobody has promised to keep it
    harness.attached = [];
    manager.attachments.reported(['kubernetes.io/shared/d']);
    await settled();
    expect(harness.calls).toEqual([]);
    harness.reportAndAttach();
    await waiting;
    expect(harness.calls).toEqual(['mountDevice d /dev/d', 'setUp a']);
    expect(manager.getMountedVolumes('a')).toMatchObject([{ name: 'data', specName: 'd' }]);
    await manager.waitForAttachAndMount(harness.pod('a'), never);
    expect(told).toBe(1);
  });

  it('are mounted once for all pods, and left when the last pod is gone', async () => {
    const manager = await mounted('a', 'b');
    expect(harness.calls).toEqual(['mountDevice d /dev/d', 'setUp a', 'setUp b']);
    await manager.waitForUnmount(harness.pod('a'), never);
    await settled();
    expect([harness.calls.at(-1), manager.attachments.list()]).toEqual(['tearDown a', ['kubernetes.io/shared/d']]);
    await manager.waitForUnmount(harness.pod('b'), never);
    await settled();
    expect(harness.calls.slice(-2)).toEqual(['tearDown b', 'unmountDevice d']);
    expect(manager.attachments.list()).toEqual([]);
  });

  it('have not failed when the kubelet stops in the middle', async () => {
    const manager = await harness.start();
    harness.onCall = (_call, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    manager.waitForAttachAndMount(harness.pod('a'), never).catch(() => undefined);
    await settled();
    harness.reportAndAttach();
    await settled();
    expect(harness.calls).toEqual(['mountDevice d /dev/d']);
    await manager.stop();
    expect(harness.events).toEqual([]);
  });

  it('are reported anew when they come back before the API server knows that they had left', async () => {
    const manager = await mounted('a');
    await manager.waitForUnmount(harness.pod('a'), never);
    await settled();
    expect(manager.attachments.list()).toEqual([]);
    const waiting = manager.waitForAttachAndMount(harness.pod('b'), never);
    await settled();
    expect(harness.calls.at(-1)).toBe('unmountDevice d'); // the status without the volume may be on its way
    harness.reportAndAttach();
    await waiting;
    expect(harness.calls.slice(-2)).toEqual(['mountDevice d /dev/d', 'setUp b']);
  });

  it('say of which pod they could not be unmounted', async () => {
    const manager = await mounted('a', 'b');
    harness.onCall = async (call) => (call === 'tearDown b' ? Promise.reject(new Error('busy')) : undefined);
    const waiting = manager.waitForUnmount(harness.pod('b'), never);
    await settled();
    harness.onCall = async () => undefined;
    expect(await outcomeOf(waiting)).toBe('done');
    expect(harness.logger.entries).toContainEqual(
      expect.objectContaining({
        message: 'UnmountVolume.TearDown failed for volume "kubernetes.io/shared/d"',
        fields: expect.objectContaining({ podUid: 'b' }),
      }),
    );
  });

  it('count as actual volumes once they are mounted', async () => {
    const manager = await harness.start();
    const counts = async (): Promise<readonly string[]> =>
      (await harness.metrics.render()).split('\n').filter((line) => line.startsWith('volume_manager_total_volumes{'));
    const waiting = manager.waitForAttachAndMount(harness.pod('a'), never);
    await settled();
    const of = (state: string): string =>
      `volume_manager_total_volumes{plugin_name="kubernetes.io/shared:d",state="${state}_state_of_world"} 1`;
    expect(await counts()).toEqual([of('desired')]);
    harness.reportAndAttach();
    await waiting;
    expect(await counts()).toEqual([of('actual'), of('desired')]);
  });

  it('are mounted before a fault of another volume is told, unless that takes long', async () => {
    const manager = await mounted('a');
    const two = (uid: string): Pod =>
      harness.pod(uid, 'd', {
        volumes: ['d', 'gone'].map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
        containers: [{ name: 'main', volumeMounts: ['d', 'gone'].map((name) => ({ name, mountPath: `/${name}` })) }],
      });
    const problem = 'failed to process volumes=[gone]: error processing PVC default/d: PVC is not bound';
    harness.onCall = async (call) => (call === 'setUp b' ? harness.clock.sleep(100) : undefined);
    expect(await outcomeOf(manager.waitForAttachAndMount(two('b'), never))).toBe(
      `unmounted volumes=[gone], unattached volumes=[], ${problem}`,
    );
    harness.onCall = async (call) => (call === 'setUp c' ? harness.clock.sleep(1000) : undefined);
    const begunAt = harness.clock.monotonic();
    expect(await outcomeOf(manager.waitForAttachAndMount(two('c'), never))).toBe(
      `unmounted volumes=[d gone], unattached volumes=[], ${problem}`,
    );
    expect(harness.clock.monotonic() - begunAt).toBe(300);
  });

  it('have their faults told in order, and each once', async () => {
    const manager = await harness.start();
    const nfs = { server: 's', path: '/' };
    const volumes: Pod['spec']['volumes'] = [
      ...['z', 'y'].map((name) => ({ name, nfs })),
      ...['c', 'b'].map((name) => ({ name, persistentVolumeClaim: { claimName: 'gone' } })),
    ];
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
    const pod = harness.pod('a', 'gone', { volumes, containers: [{ name: 'main', volumeMounts }] });
    const noPlugin = (name: string): string =>
      `failed to get Plugin from volumeSpec for volume "${name}" err=no volume plugin matched`;
    expect(await outcomeOf(manager.waitForAttachAndMount(pod, never))).toBe(
      `unmounted volumes=[b c y z], unattached volumes=[], failed to process volumes=[b c y z]: ` +
        `error processing PVC default/d: PVC is not bound; ${noPlugin('y')}; ${noPlugin('z')}`,
    );
  });

  it('say which volumes wait for what', async () => {
    const manager = await harness.start();
    expect(await outcomeOf(manager.waitForAttachAndMount(harness.pod('a'), never))).toBe(
      'unmounted volumes=[data], unattached volumes=[data], failed to process volumes=[]: context deadline exceeded',
    );
    harness.volumes.clear();
    expect(await outcomeOf(manager.waitForAttachAndMount(harness.pod('b'), never))).toBe(
      'unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC default/d: PVC is not bound',
    );
    expect(harness.journal.of('volumes.waiting')).toMatchObject([
      { pod: { uid: 'a' }, operation: 'mount', volumes: ['data'], unattached: ['data'], unresolved: [] },
      {
        pod: { uid: 'b' },
        volumes: ['data'],
        unresolved: ['data'],
        error: expect.stringContaining('PVC is not bound'),
      },
    ]);
    // A pod that only waited has nothing to unmount, and the volume is no longer in use.
    await manager.waitForUnmount(harness.pod('a'), never);
    await settled();
    expect([harness.calls, manager.attachments.list()]).toEqual([[], []]);
  });

  it('say so when nobody knows where to mount them', async () => {
    const manager = await harness.start();
    harness.misplaced = true;
    const waiting = manager.waitForAttachAndMount(harness.pod('a'), never);
    await settled();
    harness.reportAndAttach();
    await outcomeOf(waiting);
    expect(harness.events[0]).toBe(
      'Warning FailedMount MountVolume.GetDeviceMountPath failed for volume "d" : it could be anywhere',
    );
  });

  it('stay in use after an uncertain failure, and not after a final one', async () => {
    const manager = await harness.start();
    const uncertain = uncertainProgress(new Error('slow'));
    harness.onCall = async (call) => (call.startsWith('mountDevice') ? Promise.reject(uncertain) : undefined);
    const waiting = manager.waitForAttachAndMount(harness.pod('a'), never);
    await settled();
    harness.reportAndAttach();
    expect(await outcomeOf(waiting)).toContain('context deadline exceeded');
    const error = 'MountVolume.MountDevice failed for volume "d" : slow';
    expect(harness.events[0]).toBe(`Warning FailedMount ${error}`);
    const failures = harness.journal.of('volume.failed');
    expect(failures[0]).toMatchObject({ pod: { name: 'a' }, volume: 'data', operation: 'mount', failures: 1, error });
    expect(failures[1]?.failures).toBe(2);
    await manager.waitForUnmount(harness.pod('a'), never);
    await harness.clock.advance(1_000);
    expect(harness.calls.at(-1)).toBe('unmountDevice d');

    harness.calls.length = 0;
    harness.onCall = async (call) => (call.startsWith('mountDevice') ? Promise.reject(new Error('no')) : undefined);
    const again = manager.waitForAttachAndMount(harness.pod('a'), never);
    await settled();
    harness.reportAndAttach();
    await outcomeOf(again);
    await manager.waitForUnmount(harness.pod('a'), never);
    await harness.clock.advance(1_000);
    expect(new Set(harness.calls)).toEqual(new Set(['mountDevice d /dev/d']));
  });

  it('are not unmounted from a pod where nothing was begun', async () => {
    const manager = await harness.start();
    const transient = transientFailure(new Error('no driver'));
    harness.onCall = async (call) => (call.startsWith('setUp') ? Promise.reject(transient) : undefined);
    const waiting = manager.waitForAttachAndMount(harness.pod('a'), never);
    await settled();
    harness.reportAndAttach();
    await outcomeOf(waiting);
    await manager.waitForUnmount(harness.pod('a'), never);
    await settled();
    expect(harness.calls.filter((call) => call.startsWith('tearDown'))).toEqual([]);
    expect(harness.calls.at(-1)).toBe('unmountDevice d');
  });

  it('say on their PersistentVolume that the disk has another file system', async () => {
    const manager = await harness.start();
    const mismatch = Object.assign(new Error('wrong fs type'), { reason: 'FilesystemMismatch' });
    harness.onCall = async (call) => (call.startsWith('mountDevice') ? Promise.reject(mismatch) : undefined);
    const waiting = manager.waitForAttachAndMount(harness.pod('a'), never);
    await settled();
    harness.reportAndAttach();
    await outcomeOf(waiting);
    expect(harness.events).toContain(
      'Warning FailedMountOnFilesystemMismatch MountVolume failed for volume "d" wrong fs type',
    );
  });

  it('of one pod only are refused to a second', async () => {
    harness.persistentVolume('d', { accessModes: ['ReadWriteOncePod'] });
    const manager = await mounted('a');
    expect(await outcomeOf(manager.waitForAttachAndMount(harness.pod('b'), never))).toContain('deadline exceeded');
    expect(harness.events).toContain(
      'Warning FailedMount MountVolume.SetUp failed for volume "d" : volume uses the ReadWriteOncePod access mode and is already in use by another pod',
    );
    await manager.waitForUnmount(harness.pod('a'), never);
    await outcomeOf(manager.waitForAttachAndMount(harness.pod('b'), never));
    expect(manager.getMountedVolumes('b')).toHaveLength(1);
  });

  it('give their group to the containers, unless the pod has it', async () => {
    harness.volumes.set('d', {
      metadata: { name: 'd', annotations: { 'pv.beta.kubernetes.io/gid': '1234' } },
      spec: { csi: { driver: 'd', volumeHandle: 'd' } },
    });
    const manager = await mounted('a');
    expect(manager.extraSupplementalGroups(harness.pod('a'))).toEqual([1234]);
    const own = harness.pod('a', 'd', { securityContext: { supplementalGroups: [1234] } });
    expect(manager.extraSupplementalGroups(own)).toEqual([]);
  });

  it('are attached by the kubelet where no controller does it', async () => {
    const manager = await harness.start({ controllerAttaches: false });
    await manager.waitForAttachAndMount(harness.pod('a'), never);
    expect(harness.calls).toEqual(['attach d n', 'mountDevice d /dev/here', 'setUp a']);
    expect(harness.events).toEqual(['Normal SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "d" ']);
    await manager.waitForUnmount(harness.pod('a'), never);
    await settled();
    expect(harness.calls.slice(-2)).toEqual(['unmountDevice d', 'detach d n']);
    expect(manager.attachments.list()).toBeUndefined();
  });

  it('are attached by a kubelet without an API server', async () => {
    harness.hasApiServer = false;
    const manager = await harness.start();
    await manager.waitForAttachAndMount(harness.pod('a'), never);
    expect(harness.calls).toEqual(['attach d n', 'mountDevice d /dev/here', 'setUp a']);
  });

  describe('after a kill', () => {
    it('are found on disk; the node’s list stays as it is until the API server has told what is attached', async () => {
      await mounted('a');
      harness.fetchFails = true;
      const manager = await harness.start();
      expect(await harness.metrics.render()).toContain('reconstruct_volume_operations_total 1');
      expect([await manager.hasPossiblyMountedVolumes('a'), manager.attachments.list()]).toEqual([true, undefined]);
      harness.fetchFails = false;
      await harness.clock.advance(1_000);
      expect(manager.attachments.list()).toEqual(['kubernetes.io/shared/d']);
    });

    it.each([
      ['their files cannot be read', 'unreadable'],
      ['their plugin cannot say where they are', 'misplaced'],
    ] as const)('are taken down by their path alone when %s', async (_what, fault) => {
      await mounted('a');
      harness.calls.length = 0;
      harness[fault] = true;
      const manager = await harness.start();
      await settled();
      await manager.removeOrphanedPodDirs(new Set());
      expect(harness.calls).toEqual(['tearDown a']);
      const text = await harness.metrics.render();
      expect(text).toContain('reconstruct_volume_operations_errors_total 1');
      expect(text).toContain('force_cleaned_failed_volume_operations_total 1');
      expect(text).toContain('force_cleaned_failed_volume_operation_errors_total 0');
    });

    it('are mounted again for their pod, and left with it', async () => {
      await mounted('a');
      harness.calls.length = 0;
      const manager = await harness.start();
      await settled();
      harness.reportAndAttach();
      await manager.waitForAttachAndMount(harness.pod('a'), never);
      expect(harness.calls).toEqual(['mountDevice d /dev/d', 'setUp a']);
      await manager.waitForUnmount(harness.pod('a'), never);
      await settled();
      expect(harness.calls.slice(-2)).toEqual(['tearDown a', 'unmountDevice d']);
    });

    it('are unmounted with the pod that nobody knows any more', async () => {
      await mounted('a', 'b');
      harness.calls.length = 0;
      const manager = await harness.start();
      await settled();
      await manager.removeOrphanedPodDirs(new Set(['b']));
      await settled();
      expect(harness.calls).toEqual(['tearDown a']);
      await manager.removeOrphanedPodDirs(new Set());
      await settled();
      expect(harness.calls.slice(1)).toEqual(['tearDown b', 'unmountDevice d']);
      expect(manager.attachments.list()).toEqual([]);
    });

    it('are unmounted where nothing but the node’s mount is left', async () => {
      harness.mountedForNode.add('d');
      const manager = await harness.start();
      await settled();
      expect(harness.calls).toEqual([]);
      await manager.removeOrphanedPodDirs(new Set());
      await settled();
      expect(harness.calls).toEqual(['unmountDevice d']);
    });

    it('stay where a failure does not prove that nothing is mounted', async () => {
      await mounted('a');
      harness.calls.length = 0;
      const manager = await harness.start();
      await settled();
      harness.reportAndAttach();
      harness.onCall = async (call) => (call.startsWith('setUp') ? Promise.reject(new Error('no')) : undefined);
      await outcomeOf(manager.waitForAttachAndMount(harness.pod('a'), never));
      harness.onCall = async () => undefined;
      await manager.waitForUnmount(harness.pod('a'), never);
      await settled();
      expect(harness.calls.slice(-2)).toEqual(['tearDown a', 'unmountDevice d']);
    });
  });

  it('keep a device that a new pod wants while the last one leaves', async () => {
    const manager = await mounted('a');
    let release: () => void = () => undefined;
    harness.onCall = (call) =>
      call.startsWith('unmountDevice') ? new Promise((resolve) => (release = resolve)) : Promise.resolve();
    await manager.waitForUnmount(harness.pod('a'), never);
    await settled();
    const waiting = manager.waitForAttachAndMount(harness.pod('b'), never);
    await settled();
    expect(harness.calls.at(-1)).toBe('unmountDevice d');
    release();
    await waiting;
    expect(harness.calls.slice(-2)).toEqual(['mountDevice d /dev/d', 'setUp b']);
    expect(manager.attachments.list()).toEqual(['kubernetes.io/shared/d']);
  });

  it.each([false, true])('are measured by their driver; migrated: %s', async (migrated) => {
    harness.migrated = migrated;
    const manager = await mounted('a');
    await manager.waitForUnmount(harness.pod('a'), never);
    await settled();
    const text = await harness.metrics.render();
    const operations = ['verify_controller_attached_volume', 'volume_mount', 'volume_unmount', 'unmount_device'];
    for (const operation of operations) {
      expect(text).toContain(
        `storage_operation_duration_seconds_count{migrated="${migrated}",operation_name="${operation}",status="success",volume_plugin="kubernetes.io/shared:d"} 1`,
      );
    }
  });
});
