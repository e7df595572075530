import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Node, Pod } from '@podwright/kube-types';
import { nodes } from '@podwright/kube-client-interface';
import { labSupport } from '@podwright/lab';
import { PodResourcesClient } from '@podwright/pod-resources-interface/contract';
import { repositoryRoot } from '../workspace/repository-root.js';
import { ClusterNode } from './cluster-node.js';
import { MemoryClusterServer } from './cluster-server.js';
import { main, podManifest, script, type PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const sensor = 'example.com/sensor';
const withSensors = (name: string, count: number): PodManifest =>
  podManifest(name, {
    containers: [main({ resources: { limits: { [sensor]: String(count) }, requests: { [sensor]: String(count) } } })],
  });
const healthOf = ({ status }: Pod): readonly string[] =>
  (status?.containerStatuses?.[0]?.allocatedResourcesStatus ?? []).flatMap(({ name, resources = [] }) =>
    resources.map(({ resourceID, health }) => `${name} ${resourceID} ${health ?? ''}`),
  );

// In this order: each case goes on with the node and the pods of the one before.
onLab(`devices of the plugin in examples/device-plugin${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let server: MemoryClusterServer;
  let node: ClusterNode;
  let plugin: ChildProcess | undefined;

  const folder = (): string => path.join(node.kubelet.dir, 'root/device-plugins');
  const startPlugin = (): void => {
    const example = path.join(repositoryRoot, 'examples/device-plugin/sensors.mjs');
    plugin = spawn(process.execPath, [path.join(repositoryRoot, 'tools/bootstrap/run.mjs'), example, folder()], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  const killPlugin = async (): Promise<void> => {
    if (plugin === undefined || plugin.exitCode !== null || plugin.signalCode !== null) return;
    const ended = new Promise((resolve) => plugin?.once('exit', resolve));
    plugin.kill('SIGKILL');
    await ended;
  };
  const untilNodeHas = (capacity: string, allocatable: string): Promise<Node> =>
    node.kubelet.waitFor(`the node has ${allocatable} of ${capacity} sensors`, async () => {
      const found = await node.find(nodes, { name: node.name });
      const has = found?.status?.capacity?.[sensor] === capacity && found.status.allocatable?.[sensor] === allocatable;
      return has && found;
    });
  const exec = async (pod: string, text: string): Promise<string> => {
    const [found] = await bed().runtime.running(pod);
    if (found === undefined) throw new Error(`no running container in pod ${pod}`);
    return (await bed().runtime.exec(found.id, ...script(text))).trim();
  };
  const untilRefused = (name: string, message: string): Promise<Pod> =>
    node.until(
      name,
      'is refused',
      ({ status }) =>
        status?.phase === 'Failed' && status.reason === 'UnexpectedAdmissionError' && status.message === message,
    );
  const agent = async <T>(ask: (client: PodResourcesClient) => Promise<T>): Promise<T> => {
    const client = new PodResourcesClient(path.join(node.kubelet.dir, 'root/pod-resources/kubelet.sock'));
    try {
      return await ask(client);
    } finally {
      client.close();
    }
  };
  const devicesIn = async (): Promise<unknown> => {
    const { podResources } = await agent((client) => client.list());
    return podResources
      .map(({ name, containers }) => {
        const ids = containers.flatMap(({ devices }) => devices.flatMap(({ deviceIds }) => deviceIds));
        return [name, ids.sort()];
      })
      .sort();
  };

  beforeAll(async () => {
    server = await MemoryClusterServer.start();
    node = await ClusterNode.start(bed(), server, 'weather', {
      configuration: { nodeStatusUpdateFrequency: '1s', nodeStatusReportFrequency: '1s' },
    });
    await node.ready();
    startPlugin();
  });
  afterAll(async () => {
    await killPlugin();
    await node?.stop();
    await server?.stop();
  });
  afterEach(() => expect(plugin?.exitCode ?? null).toBeNull());

  it('are in the capacity of the node, and healthz has their check', async () => {
    await untilNodeHas('3', '3');
    expect(await node.kubelet.kubelet.ask('/healthz/device-plugin')).toBe('ok');
  });

  it('are in the container with all that the plugin says, and agents see them', async () => {
    await node.create(withSensors('first', 2));
    const pod = await node.untilReady('first');
    expect(await exec('first', 'echo $SENSORS; cat /etc/sensor-manual.txt; ls /dev/sensor-*')).toBe(
      'sensor-0 sensor-1\ndo not open\n/dev/sensor-0\n/dev/sensor-1',
    );
    expect(await exec('first', 'echo x >/dev/sensor-0 && stat -c %t,%T /dev/sensor-0')).toBe('1,3');
    expect(healthOf(pod)).toEqual([`${sensor} sensor-0 Healthy`, `${sensor} sensor-1 Healthy`]);
    expect(await devicesIn()).toEqual([['first', ['sensor-0', 'sensor-1']]]);
  });

  it('show in the status of the pod when one of them breaks, and when it is whole again', async () => {
    plugin?.kill('SIGUSR1');
    const broken = await node.until('first', 'has a broken sensor', (pod) =>
      healthOf(pod).includes(`${sensor} sensor-0 Unhealthy`),
    );
    expect(healthOf(broken)).toContain(`${sensor} sensor-1 Healthy`);
    await untilNodeHas('3', '2');
    plugin?.kill('SIGUSR1');
    await node.until('first', 'is whole', (pod) => !healthOf(pod).includes(`${sensor} sensor-0 Unhealthy`));
    await untilNodeHas('3', '3');
  });

  it('are refused when there are not as many', async () => {
    await node.create(withSensors('greedy', 2));
    await untilRefused(
      'greedy',
      `Pod was rejected: Allocate failed due to requested number of devices unavailable for ${sensor}. Requested: 2, Available: 1, which is unexpected`,
    );
  });

  it('stay with the pod while the plugin is gone, and while the kubelet is killed and starts again', async () => {
    const [before] = await bed().runtime.running('first');
    await killPlugin();
    await untilNodeHas('3', '0');
    const refusal = `Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices ${sensor}, which is unexpected`;
    await node.create(withSensors('late', 1));
    await untilRefused('late', refusal);
    await node.kubelet.stop();
    await node.kubelet.start();
    await node.kubelet.untilUp();
    await node.create(withSensors('later', 1));
    await untilRefused('later', refusal);
    await untilNodeHas('0', '0');
    expect((await node.pod('first'))?.status?.phase).toBe('Running');
    expect((await bed().runtime.running('first')).map(({ id }) => id)).toEqual([before?.id]);
    expect(await devicesIn()).toContainEqual(['first', ['sensor-0', 'sensor-1']]);
    startPlugin();
    await untilNodeHas('3', '3');
    await node.create(withSensors('second', 1));
    await node.untilReady('second');
    expect(await exec('second', 'echo $SENSORS')).toBe('sensor-2');
  });

  it('are offered anew by a plugin that sees the kubelet start again', async () => {
    await node.kubelet.stop();
    await node.kubelet.start();
    await node.kubelet.untilUp();
    await node.kubelet.waitFor('the plugin has registered again', async () => {
      const { devices } = await agent((client) => client.allocatable());
      return devices.length === 3;
    });
    await node.delete('first');
    await node.untilGone('first');
    await node.create(withSensors('third', 2));
    await node.untilReady('third');
    expect(await exec('third', 'echo $SENSORS')).toBe('sensor-0 sensor-1');
  });
});
