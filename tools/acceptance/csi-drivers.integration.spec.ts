import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { csiNodes, nodes, type KubeClient } from '@podwright/kube-client-interface';
import type { CsiNode, Node } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createDirectoryPluginWatcher } from '@podwright/plugin-watcher';
import { TestCluster } from '@podwright/test-cluster';
import { TestCsiDriver } from '@podwright/test-csi-driver';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { NodeDrivers } from '@podwright/volume-csi';
import { waitFor } from './wait-for.js';

const nodeName = 'n1';
const driverName = 'disks.example.com';
const zone = 'topology.disks.example.com/zone';
const annotation = 'csi.volume.kubernetes.io/nodeid';

/** The real plugin watcher and the kubelet's half of CSI on one folder; the API server is in memory. */
class Kubelet {
  private readonly clock = createSystemClock();
  private readonly logger = createMemoryLogger();
  private readonly watcher;
  readonly drivers: NodeDrivers;

  constructor(root: string, client: KubeClient, node: Node) {
    const { clock, logger } = this;
    const directory = path.join(root, 'plugins_registry');
    const metrics = createMetricsRegistry();
    this.watcher = createDirectoryPluginWatcher({ clock, logger, metrics }, { directory, reconcilePeriodMs: 50 });
    const registered = { current: () => node, watch: () => () => undefined };
    const random = createSystemRandom();
    const { watcher } = this;
    this.drivers = new NodeDrivers({ client, node: registered, clock, random, metrics, logger, watcher }, { nodeName });
  }

  async start(): Promise<void> {
    await this.watcher.start();
    await this.drivers.start();
  }

  async stop(): Promise<void> {
    await this.drivers.stop();
    await this.watcher.stop();
  }
}

describe('a CSI driver on its sockets', () => {
  let root: string;
  let cluster: TestCluster;
  let admin: KubeClient;
  let driver: TestCsiDriver;
  let kubelet: Kubelet;
  const kubelets: Kubelet[] = [];

  const startKubelet = async (): Promise<void> => {
    const client = cluster.client({
      name: `system:node:${nodeName}`,
      groups: ['system:nodes', 'system:authenticated'],
    });
    kubelet = new Kubelet(root, client, await admin.get(nodes, { name: nodeName }));
    kubelets.push(kubelet);
    await kubelet.start();
  };
  const newDriver = (maxVolumes: number, versions = ['1.9.0']): TestCsiDriver =>
    new TestCsiDriver({
      ...{ name: driverName, dir: path.join(root, 'data'), nodeId: 'id-1', maxVolumes, versions },
      topology: { [zone]: 'a' },
    });
  const entries = async (): Promise<CsiNode['spec']['drivers']> =>
    (await admin.get(csiNodes, { name: nodeName })).spec.drivers;
  const untilEntry = (maxVolumes: number): Promise<CsiNode['spec']['drivers']> =>
    waitFor(`CSINode has the driver with ${maxVolumes} volumes`, async () => {
      const found = await entries();
      return found[0]?.allocatable?.count === maxVolumes && found;
    });
  const untilGone = (): Promise<boolean> =>
    waitFor('CSINode has no driver', async () => (await entries()).length === 0);

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'csi-drivers-'));
    cluster = new TestCluster();
    admin = cluster.client();
    await admin.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } });
    driver = newDriver(5);
    await startKubelet();
  });

  afterEach(async () => {
    await driver.stop();
    for (const each of kubelets.splice(0)) await each.stop();
    await cluster.stop();
    await rm(root, { recursive: true });
  });

  it('registers, goes and comes back', async () => {
    await driver.start(root);
    expect(await untilEntry(5)).toEqual([
      { name: driverName, nodeID: 'id-1', topologyKeys: [zone], allocatable: { count: 5 } },
    ]);
    const shown = await admin.get(nodes, { name: nodeName });
    expect(shown.metadata?.annotations?.[annotation]).toBe(`{"${driverName}":"id-1"}`);
    expect(shown.metadata?.labels?.[zone]).toBe('a');
    await waitFor('the driver knows', async () => driver.registrations.length === 1);
    expect(driver.registrations).toEqual([{ pluginRegistered: true, error: '' }]);
    expect(kubelet.drivers.notReady()).toBeUndefined();

    await driver.stop();
    await untilGone();
    await waitFor('the Node has no ID of the driver', async () => {
      const { metadata } = await admin.get(nodes, { name: nodeName });
      return metadata?.annotations?.[annotation] === undefined && metadata?.labels?.[zone] === 'a';
    });

    driver.maxVolumes = 6;
    await driver.start(root);
    await untilEntry(6);
  });

  it('that is killed and starts again is registered anew', async () => {
    await driver.start(root);
    await untilEntry(5);
    driver.die();
    driver = newDriver(9);
    await driver.start(root);
    await untilEntry(9);
    expect(await entries()).toHaveLength(1);
  });

  it('is found again by a kubelet that restarts', async () => {
    await driver.start(root);
    await untilEntry(5);
    const { metadata } = await admin.get(csiNodes, { name: nodeName });
    await kubelet.stop();
    await startKubelet();
    await waitFor('the driver is registered twice', async () => driver.registrations.length === 2);
    expect((await admin.get(csiNodes, { name: nodeName })).metadata?.resourceVersion).toBe(metadata?.resourceVersion);
    expect(kubelet.drivers.clients.of(driverName).driver).toBe(driverName);
  });

  it('hears why it is refused', async () => {
    driver = newDriver(5, ['0.3.0']);
    await driver.start(root);
    await waitFor('the driver is refused', async () => driver.registrations.length > 0);
    expect(driver.registrations[0]).toEqual({
      pluginRegistered: false,
      error:
        'RegisterPlugin error -- plugin validation failed with err: validation failed for CSI Driver ' +
        `${driverName} at endpoint ${driver.socket}: kubernetes.io/csi: ValidatePlugin for CSI driver "${driverName}" ` +
        'failed. None of the versions specified ["0.3.0"] are supported. err=highest supported version reported is ' +
        '0.3.0, must be v1.x',
    });
  });
});
