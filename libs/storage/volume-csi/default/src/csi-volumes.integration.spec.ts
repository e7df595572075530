import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMountTools } from '@podwright/filesystem';
import type { CsiDriver, PersistentVolume, Pod, Volume } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { TestCsiDriver, type CsiFault } from '@podwright/test-csi-driver';
import { createSystemClock } from '@podwright/time';
import type { VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { csiDriverConnector, RegisteredCsiClients } from './client/grpc-csi-client.js';
import { OperationMetrics } from './client/operation-metrics.js';
import { createCsiVolumePlugin } from './csi-volume-plugin.js';

const driverName = 'disks.example.com';
const mebibyte = 2 ** 20;
const never = new AbortController().signal;
const csiDriver: CsiDriver['spec'] = {
  attachRequired: false,
  podInfoOnMount: true,
  fsGroupPolicy: 'File',
  volumeLifecycleModes: ['Persistent', 'Ephemeral'],
};

/** Linux grows a mounted ext4 only for CAP_SYS_RESOURCE, which root in a container may lack. */
function canResize(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${effective}`) >> 24n) & 1n) === 1n;
}

/** The plugin, a driver on its socket, and the node's real mounts. */
describe('CSI volumes on real mounts', () => {
  let root = '';
  let podDir = '';
  let driver: TestCsiDriver;
  const clock = createSystemClock();
  const pod: Pod = {
    metadata: { name: 'web', namespace: 'ns', uid: 'uid-1' },
    spec: { containers: [], securityContext: { fsGroup: 4_000 } },
  };

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'csi-volumes-')));
    podDir = join(root, 'pods/uid-1');
    await mkdir(podDir, { recursive: true });
    driver = new TestCsiDriver({
      name: driverName,
      dir: join(root, 'data'),
      volumes: { capacityBytes: 32 * mebibyte },
    });
    await driver.start(root);
  });
  afterEach(async () => {
    await driver.stop();
    let left = await driver.volumes();
    // A container that starts beside this spec may have a copy of the mounts for a moment, and the device with it.
    for (let looks = 0; looks < 100 && left.some(({ devices }) => devices.length > 0); looks++) {
      await clock.sleep(20);
      left = await driver.volumes();
    }
    const mountPoints = left.flatMap((volume) => volume.mountPoints);
    // A spec that has failed must not leave anything on the machine either.
    for (const target of [...mountPoints].reverse()) await createMountTools().unmount(target);
    for (const { id } of left) await driver.deleteVolume(id);
    expect([mountPoints, left.flatMap(({ devices }) => devices)]).toEqual([[], []]);
    await rm(root, { recursive: true });
  });

  /** The plugin of a kubelet that has just started. */
  const plugin = (): Required<VolumePlugin> => {
    const endpoint = driver.socket;
    const drivers = { get: (name: string) => ({ name, endpoint, version: '1.9.0' }) };
    const metrics = createMetricsRegistry();
    const logger = createMemoryLogger();
    return createCsiVolumePlugin(
      {
        clients: new RegisteredCsiClients(
          drivers,
          csiDriverConnector({ clock, metrics: new OperationMetrics(metrics) }),
        ),
        driverObjects: { get: () => ({ metadata: { name: driverName }, spec: csiDriver }) },
        api: { get: () => Promise.reject(new Error('nothing is asked for')) },
        tokens: { get: () => Promise.reject(new Error('no token is asked for')) },
        events: { event: () => undefined },
        ...{ mounts: createMountTools(), metrics, clock, logger },
      },
      { rootDir: root, nodeName: 'n1', volumeHealth: false },
    ) as Required<VolumePlugin>;
  };
  const claimed = (spec: Partial<PersistentVolume['spec']> = {}): VolumeSpec => ({
    volume: { name: 'data', persistentVolumeClaim: { claimName: 'c' } },
    persistentVolume: {
      metadata: { name: 'pv-1' },
      spec: { accessModes: ['ReadWriteOnce'], csi: { driver: driverName, volumeHandle: 'vol-1' }, ...spec },
    },
    ...{ pod, podDir },
  });
  const inline = (volumeAttributes: Readonly<Record<string, string>>): VolumeSpec => {
    const volume: Volume = { name: 'data', csi: { driver: driverName, volumeAttributes } };
    return { volume, pod, podDir };
  };
  const mount = async (spec: VolumeSpec, signal = never): Promise<string> => {
    const { deviceMountable, newMounter } = plugin();
    if (spec.persistentVolume !== undefined) {
      const path = await deviceMountable.deviceMountPath(spec);
      await deviceMountable.mountDevice(spec, path, { devicePath: '' }, signal);
    }
    const mounter = newMounter(spec);
    await mounter.setUp(signal);
    return mounter.hostPath;
  };
  const unmount = async (spec: VolumeSpec, signal = never): Promise<void> => {
    const { deviceMountable, tearDown } = plugin();
    await tearDown(podDir, spec.persistentVolume?.metadata?.name ?? spec.volume.name, signal);
    if (spec.persistentVolume === undefined) return;
    await deviceMountable.unmountDevice(await deviceMountable.deviceMountPath(spec), signal);
  };
  const leftovers = async (): Promise<readonly string[]> => {
    const found = [
      ...(await readdir(podDir, { recursive: true })),
      ...(await readdir(join(root, 'plugins'), { recursive: true })),
    ];
    return found.filter((path) => /globalmount|vol_data|pv-1|kubernetes\.io~csi\/./.test(path));
  };

  it('keep their data, belong to the group of the pod and are measured', async () => {
    const target = await mount(claimed());
    expect(await stat(target)).toMatchObject({ gid: 4_000 });
    await writeFile(join(target, 'file'), 'kept');
    expect(await mount(claimed())).toBe(target);

    const { usage } = plugin().newMounter(claimed());
    if (typeof usage !== 'object' || !('measure' in usage)) throw new Error('the driver must be asked');
    const before = await statfs(target);
    expect(await usage.measure(never)).toMatchObject({ capacityBytes: before.blocks * before.bsize });

    await unmount(claimed());
    expect(await leftovers()).toEqual([]);
    expect(await readFile(join(await mount(claimed()), 'file'), 'utf8')).toBe('kept');
    await unmount(claimed());
  });

  const growth = canResize() ? it : it.skip;
  growth('grow with their file system', async () => {
    const target = await mount(claimed());
    const before = await statfs(target);
    await expand(claimed(), target);
    expect((await statfs(target)).blocks).toBeGreaterThan(1.5 * before.blocks);
    await unmount(claimed());
  });
  const expand = async (spec: VolumeSpec, volumePath: string): Promise<void> => {
    const isBlock = spec.persistentVolume?.spec?.volumeMode === 'Block';
    const stagedAt = await plugin().deviceMountable.deviceMountPath(spec);
    await plugin().expandable.nodeExpand(
      {
        ...{ spec, volumePath, devicePath: '', mode: isBlock ? 'Block' : 'Filesystem' },
        deviceMountPath: isBlock ? '' : stagedAt,
        ...{ oldBytes: 32 * mebibyte, newBytes: 64 * mebibyte },
      },
      never,
    );
  };

  it.each(['disk', 'directory'])('of one pod end with it (%s)', async (kind) => {
    const target = await mount(inline({ kind }));
    await writeFile(join(target, 'file'), '');
    await unmount(inline({ kind }));
    expect([await leftovers(), await driver.volumes()]).toEqual([[], []]);
  });

  it('are read-only where the pod asks for that', async () => {
    const volume = { name: 'data', persistentVolumeClaim: { claimName: 'c', readOnly: true } };
    const spec = { ...claimed(), volume };
    await expect(writeFile(join(await mount(spec), 'file'), '')).rejects.toMatchObject({ code: 'EROFS' });
    await unmount(spec);
  });

  it('are block devices, too', async () => {
    const spec = claimed({ volumeMode: 'Block' });
    const { setUpDevice, mapPodDevice } = mapperOf(spec);
    expect(await setUpDevice(never)).toContain('volumeDevices/staging/pv-1');
    const device = await mapPodDevice(never);
    expect((await stat(device)).isBlockDevice()).toBe(true);
    const file = await open(device, 'r+');
    await file.write('raw');
    await expand(spec, device);
    await file.write('grown', 63 * mebibyte);
    await file.close();
    expect(await mapPodDevice(never)).toBe(device);
    expect(await plugin().reconstruct(podDir, 'pv-1', 'Block')).toMatchObject({
      persistentVolume: { spec: { csi: { volumeHandle: 'vol-1' } } },
    });
    await mapperOf(spec).unmapPodDevice(never);
    await mapperOf(spec).tearDownDevice('', never);
    expect(await leftovers()).toEqual([]);
  });
  const mapperOf = (spec: VolumeSpec) => {
    const mapper = plugin().block.newMapper(spec);
    const { setUpDevice, mapPodDevice, unmapPodDevice, tearDownDevice } = mapper;
    if (!setUpDevice || !mapPodDevice || !unmapPodDevice || !tearDownDevice) throw new Error('a step is missing');
    return {
      setUpDevice: setUpDevice.bind(mapper),
      mapPodDevice: mapPodDevice.bind(mapper),
      unmapPodDevice: unmapPodDevice.bind(mapper),
      tearDownDevice: tearDownDevice.bind(mapper),
    };
  };

  const faults: readonly (readonly [string, CsiFault])[] = [
    ['dies before the work', { type: 'die' }],
    ['dies after the work', { type: 'die', done: true }],
    ['hangs before the work', { type: 'hang' }],
    ['hangs after the work', { type: 'hang', done: true }],
    ['fails before the work', { type: 'status', status: 'INTERNAL' }],
    ['is busy after the work', { type: 'status', status: 'ABORTED', done: true }],
  ];
  const rpcs = ['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume'];

  describe.each(faults)('when the driver %s', (_what, fault) => {
    it.each(rpcs)('of %s, the next kubelet goes on, or undoes', async (rpc) => {
      for (const goesOn of [true, false]) {
        const isUndoing = rpc.startsWith('NodeUn');
        if (isUndoing) await mount(claimed());
        driver.faults.add(fault, { rpc, volumeId: 'vol-1' });
        const stop = new AbortController();
        const work = isUndoing ? unmount(claimed(), stop.signal) : mount(claimed(), stop.signal);
        const failed = expect(work).rejects.toThrow();
        await asked(rpc);
        if (fault.type === 'hang') stop.abort();
        await failed;
        if (fault.type === 'die') await driver.start(root);
        if (goesOn) {
          const target = await mount(claimed());
          await writeFile(join(target, 'file'), '');
        }
        await unmount(claimed());
        expect(await leftovers()).toEqual([]);
        driver.calls.clear();
      }
    });
  });
  const asked = async (rpc: string): Promise<void> => {
    while (driver.calls.list({ rpc }).length === 0) await clock.sleep(5);
  };
});
