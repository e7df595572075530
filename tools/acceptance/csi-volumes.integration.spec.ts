import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMountTools } from '@podwright/filesystem';
import {
  csiDrivers,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  volumeAttachments,
  type KubeClient,
} from '@podwright/kube-client-interface';
import { podUid as uidOf, type Node, type Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createDirectoryPluginWatcher } from '@podwright/plugin-watcher';
import { TestCluster } from '@podwright/test-cluster';
import { TestCsiDriver } from '@podwright/test-csi-driver';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { createVolumeManager, type OnDemandVolumeManager } from '@podwright/volume';
import { createVolumeClaims } from '@podwright/volume-claim';
import { createCsiVolumePlugin, NodeDrivers } from '@podwright/volume-csi';
import type { VolumePlugin } from '@podwright/volume-interface';
import { createHash } from 'node:crypto';
import { waitFor } from './wait-for.js';

const nodeName = 'n1';
const driverName = 'disks.example.com';
const uniqueName = `kubernetes.io/csi/${driverName}^vol-1`;
const attachment = `csi-${createHash('sha256').update(`vol-1${driverName}${nodeName}`).digest('hex')}`;
const never = new AbortController().signal;

/** The kubelet's parts for volumes: registration of drivers, the plugin, claims, and the volume manager. */
class Kubelet {
  readonly manager: OnDemandVolumeManager;
  private readonly drivers: NodeDrivers;
  private readonly watcher;
  private readonly wakers: (() => void)[] = [];

  constructor(root: string, client: KubeClient, node: () => Node) {
    const clock = createSystemClock();
    const logger = createMemoryLogger();
    const random = createSystemRandom();
    const metrics = createMetricsRegistry();
    const events = { event: () => undefined };
    const directory = path.join(root, 'plugins_registry');
    this.watcher = createDirectoryPluginWatcher({ clock, logger, metrics }, { directory, reconcilePeriodMs: 50 });
    const registered = {
      ...{ current: node, hasSynced: () => true, synced: async () => undefined },
      ...{ start: async () => undefined, stop: async () => undefined },
      watch: (listener: (found: Node) => void) => {
        this.wakers.push(() => listener(node()));
        return () => undefined;
      },
    };
    const { watcher } = this;
    this.drivers = new NodeDrivers({ client, node: registered, clock, random, metrics, logger, watcher }, { nodeName });
    const plugin: VolumePlugin = createCsiVolumePlugin(
      {
        ...{ clients: this.drivers.clients, driverObjects: this.drivers.objects, api: client },
        tokens: { get: () => Promise.reject(new Error('no token is asked for')) },
        ...{ mounts: createMountTools(), events, metrics, clock, logger },
      },
      { rootDir: root, nodeName, volumeHealth: false },
    );
    this.manager = createVolumeManager(
      {
        ...{ plugins: [plugin], probers: [], claims: createVolumeClaims({ client }), client, node: registered },
        nodeSource: { getNode: node, fetchNode: async () => node() },
        lifecycle: { ...noPods, couldHaveRunningContainers: () => false },
        ...{ events, clock, logger, metrics, random },
      },
      { rootDir: root, retryMs: 50, maxRetryMs: 200, waitTimeoutMs: 20_000 },
    );
  }

  async start(): Promise<void> {
    await this.watcher.start();
    await this.drivers.start();
    await this.manager.start();
  }

  async stop(): Promise<void> {
    await this.manager.stop();
    await this.drivers.stop();
    await this.watcher.stop();
  }

  /** The API server has the node's volumes in use, and a controller has attached and detached accordingly. */
  handshake(attach: (names: readonly string[]) => void): void {
    const { attachments } = this.manager;
    const report = (): void => {
      const names = attachments.list();
      if (names === undefined) return;
      attach(names);
      attachments.reported(names);
      for (const wake of this.wakers) wake();
    };
    attachments.watch(report);
    report();
  }
}
const noPods = {} as ConstructorParameters<typeof OnDemandVolumeManager>[0]['lifecycle'];

describe('volumes of a CSI driver', () => {
  let root: string;
  let cluster: TestCluster;
  let driver: TestCsiDriver;
  let attached: readonly string[];
  const kubelets: Kubelet[] = [];

  const node = (): Node => ({
    metadata: { name: nodeName, uid: 'node-uid' },
    status: { volumesAttached: attached.map((name) => ({ name, devicePath: '' })) },
  });
  const startKubelet = async (): Promise<OnDemandVolumeManager> => {
    const user = { name: `system:node:${nodeName}`, groups: ['system:nodes', 'system:authenticated'] };
    const kubelet = new Kubelet(root, cluster.client(user), node);
    kubelets.push(kubelet);
    await kubelet.start();
    kubelet.handshake((names) => void (attached = names));
    return kubelet.manager;
  };
  /** As a kill: nothing of the old kubelet does anything any more. */
  const restart = async (): Promise<OnDemandVolumeManager> => {
    await kubelets.at(-1)?.stop();
    return startKubelet();
  };
  const createVolume = async (admin: KubeClient, volumeMode: 'Filesystem' | 'Block'): Promise<void> => {
    const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'c', uid: '' };
    const sizes = { accessModes: ['ReadWriteOnce'], volumeMode };
    const claim = await admin.create(persistentVolumeClaims, {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { namespace: 'default', name: 'c' } },
      spec: { ...sizes, volumeName: 'pv-1', resources: { requests: { storage: '32Mi' } } },
    });
    await admin.update(
      persistentVolumeClaims,
      { ...claim, status: { phase: 'Bound', capacity: { storage: '32Mi' } } },
      { subresource: 'status' },
    );
    await admin.create(persistentVolumes, {
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv-1' } },
      spec: {
        ...{ ...sizes, capacity: { storage: '32Mi' }, claimRef: { ...claimRef, uid: claim.metadata?.uid ?? '' } },
        csi: { driver: driverName, volumeHandle: 'vol-1', fsType: 'ext4' },
      },
    });
  };
  const attach = async (admin: KubeClient): Promise<void> => {
    const made = await admin.create(volumeAttachments, {
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: attachment } },
      spec: { attacher: driverName, nodeName, source: { persistentVolumeName: 'pv-1' } },
    });
    await admin.update(volumeAttachments, { ...made, status: { attached: true } }, { subresource: 'status' });
  };
  /** Bound to the node: the API server shows a node only the claims of its own pods. */
  const createPod = (admin: KubeClient, name: string, mode: 'Filesystem' | 'Block'): Promise<Pod> => {
    const used =
      mode === 'Block'
        ? { volumeDevices: [{ name: 'data', devicePath: '/dev/data' }] }
        : { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    return admin.create(pods, {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name } },
      spec: {
        nodeName,
        automountServiceAccountToken: false,
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }],
        containers: [{ name: 'c', image: 'i', ...used }],
      },
    });
  };
  const mountedOn = async (): Promise<readonly string[]> =>
    (await driver.volumes()).flatMap(({ mountPoints, devices }) => [...mountPoints, ...devices]);
  const untilGone = async (): Promise<void> => {
    await waitFor('nothing is mounted', async () => (await mountedOn()).length === 0);
    await waitFor('the volume is no longer in use', async () => attached.length === 0);
    const left = await readdir(path.join(root, 'plugins/kubernetes.io/csi'), { recursive: true });
    expect(left.filter((name) => /globalmount|vol_data|pv-1/.test(name))).toEqual([]);
  };

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'csi-volumes-')));
    attached = [];
    cluster = new TestCluster();
    const admin = cluster.client();
    await admin.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } });
    await admin.create(csiDrivers, {
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: driverName } },
      spec: { attachRequired: true, fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent'] },
    });
    driver = new TestCsiDriver({ name: driverName, dir: path.join(root, 'data'), nodeId: 'id-1' });
    await driver.start(root);
  });
  afterEach(async () => {
    for (const kubelet of kubelets.splice(0)) await kubelet.stop();
    await driver.stop();
    await cluster.stop();
    const left = await driver.volumes();
    for (const target of left.flatMap(({ mountPoints }) => mountPoints).reverse()) {
      await createMountTools().unmount(target);
    }
    for (const { id } of left) await driver.deleteVolume(id);
    expect(left.flatMap(({ mountPoints }) => mountPoints)).toEqual([]);
    await rm(root, { recursive: true });
  });

  it('wait for their attachment, survive restarts, and are shared by pods', async () => {
    const admin = cluster.client();
    await createVolume(admin, 'Filesystem');
    const a = await createPod(admin, 'a', 'Filesystem');
    const b = await createPod(admin, 'b', 'Filesystem');
    let manager = await startKubelet();
    const mounting = manager.waitForAttachAndMount(a, never);
    await waitFor('the volume is in use', async () => attached.includes(uniqueName));
    await attach(admin);
    await mounting;
    const [volume] = manager.getMountedVolumes(uidOf(a));
    expect(volume).toMatchObject({ name: 'data', specName: 'pv-1', readOnly: false });
    const file = path.join(volume?.hostPath ?? '', 'file');
    await writeFile(file, 'kept');

    manager = await restart();
    await manager.waitForAttachAndMount(a, never);
    await manager.waitForAttachAndMount(b, never);
    expect(await readFile(file, 'utf8')).toBe('kept');
    await manager.waitForUnmount(a, never);
    expect(await readFile(path.join(manager.getMountedVolumes(uidOf(b))[0]?.hostPath ?? '', 'file'), 'utf8')).toBe(
      'kept',
    );
    await manager.waitForUnmount(b, never);
    await untilGone();
    expect(driver.calls.overlaps()).toEqual([]);
  });

  it.each(['Filesystem', 'Block'] as const)('of pods that ended while the kubelet was down go (%s)', async (mode) => {
    const admin = cluster.client();
    await createVolume(admin, mode);
    await attach(admin);
    const a = await createPod(admin, 'a', mode);
    let manager = await startKubelet();
    await manager.waitForAttachAndMount(a, never);
    expect(await mountedOn()).not.toEqual([]);
    manager = await restart();
    expect(await manager.hasPossiblyMountedVolumes(uidOf(a))).toBe(true);
    await waitFor('the folder of the pod is gone', async () => {
      await manager.removeOrphanedPodDirs(new Set());
      return (await readdir(path.join(root, 'pods'))).length === 0;
    });
    await untilGone();
  });

  it.each([
    ['NodeStageVolume', 'Filesystem'],
    ['NodeStageVolume', 'Block'],
    ['NodePublishVolume', 'Filesystem'],
    ['NodePublishVolume', 'Block'],
  ] as const)('that the driver mounts although it refuses them go with their pod (%s, %s)', async (rpc, mode) => {
    const admin = cluster.client();
    await createVolume(admin, mode);
    await attach(admin);
    const a = await createPod(admin, 'a', mode);
    driver.faults.add({ type: 'status', status: 'INTERNAL', done: true }, { rpc }, Infinity);
    const manager = await startKubelet();
    const ending = new AbortController();
    const mounting = manager.waitForAttachAndMount(a, ending.signal);
    await waitFor('the driver has refused it', async () => driver.calls.list({ rpc, outcome: 'INTERNAL' }).length > 0);
    expect(await mountedOn()).not.toEqual([]);
    ending.abort();
    await expect(mounting).rejects.toThrow();
    await manager.waitForUnmount(a, never);
    await untilGone();
  });

  it('whose driver dies in the middle are mounted when it is back', async () => {
    const admin = cluster.client();
    await createVolume(admin, 'Filesystem');
    await attach(admin);
    const a = await createPod(admin, 'a', 'Filesystem');
    driver.faults.add({ type: 'die', done: true }, { rpc: 'NodeStageVolume' });
    driver.faults.add({ type: 'status', status: 'ABORTED', done: true }, { rpc: 'NodePublishVolume' });
    const manager = await startKubelet();
    const mounting = manager.waitForAttachAndMount(a, never);
    const broken = { rpc: 'NodeStageVolume', outcome: 'CANCELLED' } as const;
    await waitFor('the driver is dead', async () => driver.calls.list(broken).length > 0);
    await driver.start(root);
    await mounting;
    await manager.waitForUnmount(a, never);
    await untilGone();
  });
});
