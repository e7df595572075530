import { afterEach, describe, expect, it } from '@jest/globals';
import { StatusError } from '@podwright/grpc';
import { csiDrivers, csiNodes, nodes, volumeAttachments } from '@podwright/kube-client-interface';
import type { VolumeSpec } from '@podwright/volume-interface';
import { attachmentName } from './csi-node/attachment-name.js';
import { driverName, NodeHarness, nodeName } from './fixtures/node-harness.js';

const zone = 'topology.csi.example/zone';
const annotation = 'csi.volume.kubernetes.io/nodeid';
const migrated =
  'kubernetes.io/aws-ebs,kubernetes.io/azure-disk,kubernetes.io/azure-file,kubernetes.io/cinder,' +
  'kubernetes.io/gce-pd,kubernetes.io/portworx-volume,kubernetes.io/vsphere-volume';

let harness: NodeHarness;
afterEach(() => harness.tearDown());

describe('CSINode at the start', () => {
  it('keeps the node from Ready until it is there, owned by the Node', async () => {
    harness = await NodeHarness.make();
    await harness.drivers.start();
    await harness.clock.advance(400_000);
    expect([harness.drivers.notReady(), harness.failures]).toEqual(['CSINode is not yet initialized', []]);
    await harness.createNode();
    await harness.clock.runUntil(() => harness.drivers.notReady() === undefined, 100);
    const { uid } = (await harness.node()).metadata ?? {};
    expect(await harness.csiNode()).toMatchObject({
      metadata: {
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid }],
        annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': migrated },
      },
      spec: { drivers: [] },
    });
  });

  it('waits for an API server that does not answer', async () => {
    harness = await NodeHarness.make();
    await harness.createNode();
    harness.cluster.server.faults.stop();
    await harness.drivers.start();
    await harness.clock.advance(300_000);
    expect([harness.drivers.notReady(), harness.failures]).toEqual(['CSINode is not yet initialized', []]);
    harness.cluster.server.faults.start();
    await harness.clock.runUntil(() => harness.drivers.notReady() === undefined, 60_000);
  });

  it('replaces one of an earlier Node of the same name', async () => {
    harness = await NodeHarness.make();
    const owner = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: 'gone' };
    const metadata = { name: nodeName, ownerReferences: [owner] };
    const spec = { drivers: [{ name: 'old', nodeID: 'x' }] };
    await harness.admin.create(csiNodes, { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata, spec });
    await harness.createNode();
    await harness.drivers.start();
    await harness.clock.runUntil(() => harness.drivers.notReady() === undefined, 1_000);
    const { uid } = (await harness.node()).metadata ?? {};
    expect(await harness.csiNode()).toMatchObject({ metadata: { ownerReferences: [{ uid }] }, spec: { drivers: [] } });
  });

  it('is read once when it is there from before', async () => {
    harness = await NodeHarness.ready();
    const restarted = harness.another();
    const { audit } = harness.cluster.server;
    audit.clear();
    await restarted.start();
    await harness.clock.runUntil(() => restarted.notReady() === undefined, 100);
    expect(
      audit.entries.filter(({ resource }) => resource !== 'csidrivers').map(({ verb, resource }) => [verb, resource]),
    ).toEqual([['get', 'csinodes']]);
    await restarted.stop();
  });

  it('ends the process when it cannot be written for minutes', async () => {
    harness = await NodeHarness.make();
    await harness.createNode();
    await harness.admin.delete(nodes, { name: nodeName });
    await harness.drivers.start();
    await harness.clock.advance(100_000);
    expect(harness.drivers.notReady()).toBe(
      'failed to initialize CSINode: error updating CSINode annotation: timed out waiting for the condition; ' +
        `caused by: nodes "${nodeName}" not found`,
    );
    expect(harness.failures).toEqual([]);
    await harness.clock.advance(100_000);
    expect(harness.failures).toHaveLength(1);
    expect(harness.failures[0]).toMatch(/^Failed to initialize CSINode after retrying: timed out waiting/);
  });
});

describe('a driver that registers', () => {
  it('is in the Node and in CSINode', async () => {
    harness = await NodeHarness.ready();
    harness.driver.info = {
      nodeId: 'id-1',
      maxVolumesPerNode: 7n,
      accessibleTopology: { segments: { [zone]: 'a', 'topology.csi.example/rack': 'r' } },
    };
    await harness.register();
    const { metadata } = await harness.node();
    expect(metadata?.annotations?.[annotation]).toBe(`{"${driverName}":"id-1"}`);
    expect(metadata?.labels).toMatchObject({ [zone]: 'a', 'topology.csi.example/rack': 'r' });
    const topologyKeys = ['topology.csi.example/rack', zone];
    expect(await harness.entries()).toEqual([
      { name: driverName, nodeID: 'id-1', topologyKeys, allocatable: { count: 7 } },
    ]);
    expect(harness.drivers.clients.of(driverName).driver).toBe(driverName);
  });

  it('waits for a node that is still being registered, but not for ever', async () => {
    harness = await NodeHarness.make();
    await harness.drivers.start();
    expect(await harness.settled(harness.register())).toBe(
      'the node is not registered: deadline of 120000 ms exceeded',
    );
    const registering = harness.register();
    await harness.clock.advance(100_000);
    await harness.createNode();
    expect(await harness.settled(registering)).toBeUndefined();
    expect(await harness.entries()).toMatchObject([{ name: driverName }]);
  });

  it('writes nothing when nothing differs', async () => {
    harness = await NodeHarness.ready();
    harness.driver.info = { ...harness.driver.info, accessibleTopology: { segments: { [zone]: 'a' } } };
    await harness.register();
    const versions = async (): Promise<readonly unknown[]> => [
      (await harness.node()).metadata?.resourceVersion,
      (await harness.csiNode())?.metadata?.resourceVersion,
    ];
    const before = await versions();
    await harness.register(['1.1.0']);
    expect(await versions()).toEqual(before);
  });

  it.each([
    [0n, undefined],
    [-1n, undefined],
    [2n ** 40n, { count: 2 ** 31 - 1 }],
  ])('with %s volumes has allocatable %j', async (maxVolumesPerNode, allocatable) => {
    harness = await NodeHarness.ready();
    harness.driver.info = { nodeId: 'id', maxVolumesPerNode };
    await harness.register();
    expect((await harness.entries())[0]?.allocatable).toEqual(allocatable);
  });

  it.each(['../../../elsewhere', '..', 'a/b', '', 'a\n', '-a', 'x'.repeat(64)])('is not taken as %j', async (name) => {
    harness = await NodeHarness.ready();
    await expect(harness.register(['1.1.0'], undefined, name)).rejects.toThrow('is no name of a CSI driver');
    expect(await harness.entries()).toEqual([]);
  });

  it('is taken again only with a higher version', async () => {
    harness = await NodeHarness.ready();
    await harness.register(['1.1.0', '1.0.0']);
    await expect(harness.register(['1.1.0'])).rejects.toThrow(
      `validation failed for CSI Driver ${driverName} at endpoint ${harness.driver.socket}: kubernetes.io/csi: ` +
        `ValidatePlugin for CSI driver "${driverName}" failed. Another driver with the same name is already ` +
        'registered with a higher supported version: "1.1.0"',
    );
    await harness.register(['1.2.0']);
  });

  it.each([
    [[], 'Plugin returned an empty list for supported versions'],
    [
      ['2.0.0', '0.3.0'],
      'None of the versions specified ["2.0.0" "0.3.0"] are supported. err=highest supported version reported is 0.3.0, must be v1.x',
    ],
  ])('with the versions %j is refused', async (versions, why) => {
    harness = await NodeHarness.ready();
    await expect(harness.register(versions)).rejects.toThrow(`CSI driver "${driverName}" failed. ${why}`);
  });

  it('leaves nothing behind when a label of the Node has another value', async () => {
    harness = await NodeHarness.ready({ [zone]: 'b' });
    harness.driver.info = { nodeId: 'id', accessibleTopology: { segments: { [zone]: 'a' } } };
    expect(await harness.settled(harness.register())).toBe(
      'error updating Node object with CSI driver node info: error updating node: timed out waiting for the condition; ' +
        `caused by: detected topology value collision: driver reported "${zone}":"a" but existing label is "${zone}":"b"`,
    );
    expect((await harness.node()).metadata?.annotations?.[annotation]).toBeUndefined();
    expect(() => harness.drivers.clients.of(driverName)).toThrow('not found in the list');
  });

  it('is not registered when it does not know the node', async () => {
    harness = await NodeHarness.ready();
    harness.driver.info = { nodeId: '' };
    await expect(harness.register()).rejects.toThrow(
      'error adding CSI driver node info: driverNodeID must not be empty',
    );
    harness.driver.failures.set('nodeGetInfo', new StatusError(13, 'broken'));
    await expect(harness.register()).rejects.toThrow('rpc error: code = Internal desc = broken');
    expect(await harness.entries()).toEqual([]);
  });

  it('is tried four times when the API server does not answer', async () => {
    harness = await NodeHarness.ready();
    harness.cluster.server.faults.stop();
    expect(await harness.settled(harness.register())).toMatch(
      /^error updating Node object with CSI driver node info: error updating node: timed out waiting/,
    );
    harness.cluster.server.faults.start();
    await harness.clock.advance(60_000);
    await harness.register();
    expect(await harness.entries()).toHaveLength(1);
  });

  it('registers with a Node that was deleted and created again', async () => {
    harness = await NodeHarness.ready();
    await harness.register();
    await harness.admin.delete(nodes, { name: nodeName });
    await harness.createNode();
    expect(await harness.settled(harness.register(['1.1.0']))).toBeUndefined();
    const { uid } = (await harness.node()).metadata ?? {};
    expect((await harness.csiNode())?.metadata?.ownerReferences).toMatchObject([{ uid }]);
    expect(await harness.entries()).toHaveLength(1);
  });
});

describe('a driver that goes', () => {
  it('leaves its topology labels only, and may come back', async () => {
    harness = await NodeHarness.ready();
    harness.driver.info = { nodeId: 'id', accessibleTopology: { segments: { [zone]: 'a' } } };
    await harness.register();
    await harness.deregister();
    const { metadata } = await harness.node();
    expect([metadata?.annotations?.[annotation], metadata?.labels?.[zone]]).toEqual([undefined, 'a']);
    expect(await harness.entries()).toEqual([]);
    expect(() => harness.drivers.clients.of(driverName)).toThrow('not found in the list');
    await harness.register();
    expect(await harness.entries()).toHaveLength(1);
  });

  it('does not take along a newer one on another socket', async () => {
    harness = await NodeHarness.ready();
    await harness.register();
    await harness.register(['1.1.0'], harness.driver.socket);
    await harness.deregister('/elsewhere.sock');
    expect(await harness.entries()).toHaveLength(1);
  });

  it('reports an API server that does not answer', async () => {
    harness = await NodeHarness.ready();
    await harness.register();
    harness.cluster.server.faults.stop();
    expect(await harness.settled(harness.deregister())).toMatch(
      /^kubernetes.io\/csi: Error uninstalling CSI driver: error uninstalling CSI driver from CSINode object error updating CSINode: timed out/,
    );
  });
});

describe('the number of volumes that a driver can attach', () => {
  const count = async (): Promise<number | undefined> => (await harness.entries())[0]?.allocatable?.count;
  const volumesNow = (maxVolumesPerNode: bigint): void => {
    harness.driver.info = { ...harness.driver.info, maxVolumesPerNode };
  };
  // The driver answers on a real socket, which the virtual clock does not wait for.
  const asked = async (times: number): Promise<void> => {
    for (let turn = 0; harness.driver.calls.length < times && turn < 1_000; turn++) await harness.clock.advance(0);
    for (let turn = 0; turn < 20; turn++) await harness.clock.advance(0);
  };

  it('is asked periodically while the CSIDriver says so', async () => {
    harness = await NodeHarness.ready();
    await harness.register();
    await harness.createDriverObject({ nodeAllocatableUpdatePeriodSeconds: 10 });
    volumesNow(3n);
    await harness.clock.advance(9_999);
    expect(harness.driver.calls).toHaveLength(1);
    await harness.clock.advance(1);
    await asked(2);
    expect(await count()).toBe(3);
    const body = { spec: { nodeAllocatableUpdatePeriodSeconds: 60 } };
    await harness.admin.patch(csiDrivers, { name: driverName }, { type: 'merge', body });
    await harness.clock.advance(59_000);
    expect(harness.driver.calls).toHaveLength(2);
    await harness.admin.delete(csiDrivers, { name: driverName });
    await harness.clock.advance(120_000);
    expect(harness.driver.calls).toHaveLength(2);
  });

  const attachment = attachmentName('vol-1', driverName, nodeName);
  const persistentVolume = { spec: { csi: { driver: driverName, volumeHandle: 'vol-1' } } };
  const spec = { volume: { name: 'v' }, persistentVolume, pod: {}, podDir: '/p' } as unknown as VolumeSpec;
  async function attach(errorCode: number): Promise<void> {
    const made = await harness.admin.create(volumeAttachments, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: attachment },
      spec: { attacher: driverName, nodeName, source: { persistentVolumeName: 'pv-1' } },
    });
    const status = { attached: false, attachError: { errorCode, message: 'full' } };
    await harness.admin.update(volumeAttachments, { ...made, status }, { subresource: 'status' });
  }

  it('is asked at once when the node is full', async () => {
    harness = await NodeHarness.ready();
    await harness.register();
    await harness.createDriverObject({ nodeAllocatableUpdatePeriodSeconds: 600 });
    await attach(8);
    volumesNow(2n);
    expect(await harness.drivers.exceeded(spec, harness.signal)).toBe(true);
    expect(await count()).toBe(2);
  });

  it('does not matter after another error, and without a period', async () => {
    harness = await NodeHarness.ready();
    await harness.register();
    await harness.createDriverObject({});
    await attach(8);
    expect(await harness.drivers.exceeded(spec, harness.signal)).toBe(false);
    const body = { spec: { nodeAllocatableUpdatePeriodSeconds: 600 } };
    await harness.admin.patch(csiDrivers, { name: driverName }, { type: 'merge', body });
    await harness.clock.advance(0);
    await harness.admin.delete(volumeAttachments, { name: attachment });
    await attach(13);
    expect(await harness.drivers.exceeded(spec, harness.signal)).toBe(false);
  });
});

describe('the CSIDriver objects', () => {
  it('are unknown until they are listed', async () => {
    harness = await NodeHarness.make();
    expect(() => harness.drivers.objects.get(driverName)).toThrow('the CSIDriver informer has not synced yet');
    await harness.drivers.start();
    await harness.clock.advance(1);
    expect(harness.drivers.objects.get(driverName)).toBeUndefined();
    await harness.createDriverObject({ attachRequired: false });
    expect(harness.drivers.objects.get(driverName)?.spec.attachRequired).toBe(false);
  });
});
