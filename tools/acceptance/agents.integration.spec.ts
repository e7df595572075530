import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeMessage } from '@podwright/kube-protobuf';
import type { Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { PodResourcesClient } from '@podwright/pod-resources-interface/contract';
import { EventType } from '@podwright/pods-api-interface';
import { PodsApiClient } from '@podwright/pods-api-interface/contract';
import { TestCollector } from '@podwright/tracing-interface/contract';
import { main, podManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`agents on the node${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();

  it('see pods on the socket of pod resources, again after a kill -9, which leaves the socket behind', async () => {
    const node = await bed().startNode('resources');
    await node.add(podManifest('held', { containers: [main(), main({ name: 'side' })] }));
    await node.waitForPod('held', 'runs', ({ status }) => status?.phase === 'Running');
    for (const round of ['first kubelet', 'next kubelet']) {
      const client = new PodResourcesClient(path.join(node.dir, 'root/pod-resources/kubelet.sock'));
      const pods = async (): Promise<unknown> =>
        (await client.list()).podResources.map(({ name, containers }) => [name, containers.map((one) => one.name)]);
      await node.waitFor(`${round} tells of the pod`, async () => {
        const seen = await pods().catch((error: unknown) => error);
        return JSON.stringify(seen) === JSON.stringify([[node.podName('held'), ['main', 'side']]]);
      });
      expect(await client.allocatable()).toEqual({ devices: [], cpuIds: [], memory: [] });
      client.close();
      if (round === 'next kubelet') continue;
      await node.stop();
      await node.start();
    }
  });

  it('list, get and watch pods on the socket of the Pods API, again after a kill -9', async () => {
    const node = await bed().startNode('listed', { configuration: { featureGates: { PodsAPI: true } } });
    const socket = path.join(node.dir, 'root/pods-api/pods-api.sock');
    await node.untilUp();
    const client = new PodsApiClient(socket);
    const events: string[] = [];
    const podIn = (bytes: Uint8Array): Pod => decodeMessage('core.v1.Pod', bytes) as Pod;
    const watching = (async () => {
      for await (const { type, pod } of client.watch()) {
        const { metadata, status } = podIn(pod);
        events.push([type, metadata?.name, status?.phase].join(' '));
      }
    })().catch((error: Error) => events.push(error.message));
    await node.waitFor('the watch begins', async () => events[0] === `${EventType.INITIAL_SYNC_COMPLETE}  `);
    await node.add(podManifest('seen'));
    const name = node.podName('seen');
    const { metadata } = await node.waitForPod('seen', 'runs', ({ status }) => status?.phase === 'Running');
    await node.waitFor('the watcher sees it run', async () => events.includes(`${EventType.MODIFIED} ${name} Running`));
    expect(events[1]).toBe(`${EventType.ADDED} ${name} Pending`);
    const pod = podIn((await client.get(metadata.uid ?? '')).pod);
    expect(pod).toMatchObject({
      metadata: { name },
      status: { phase: 'Running', containerStatuses: [{ ready: true }] },
    });
    await node.end('SIGKILL');
    await node.start();
    const again = new PodsApiClient(socket);
    await node.waitFor('the next kubelet lists it', async () => {
      const { pods } = await again.list().catch(() => ({ pods: [] }));
      return pods.some((bytes) => podIn(bytes).metadata.uid === metadata.uid);
    });
    let watches = false;
    const untilEnded = (async () => {
      for await (const { type } of again.watch()) {
        if (type === EventType.INITIAL_SYNC_COMPLETE) watches = true;
        if (type === EventType.DELETED) return;
      }
      throw new Error('the watch ended before the pod');
    })();
    await node.waitFor('the next watch begins', async () => watches);
    await node.remove('seen.json');
    await untilEnded;
    await watching;
    client.close();
    again.close();
  });

  it('get the spans of a pod that starts, with the calls to the runtime inside', async () => {
    const collector = await TestCollector.listen();
    const node = await bed().startNode('traced', {
      configuration: { tracing: { endpoint: collector.address, samplingRatePerMillion: 1_000_000 } },
    });
    await node.add(podManifest('traced'));
    await node.waitForPod('traced', 'runs', ({ status }) => status?.phase === 'Running');
    // Everything that was not sent yet is sent at the end.
    await node.end('SIGTERM');
    collector.close();
    const call = 'runtime.v1.RuntimeService/RunPodSandbox';
    const sandbox = collector.spans.find(({ name }) => name === call);
    const sync = collector.spans.find(({ spanId }) => spanId === sandbox?.parentSpanId);
    expect(sandbox).toMatchObject({ kind: 'client', error: undefined });
    expect(sync).toMatchObject({ name: 'syncPod', attributes: { 'k8s.pod.name': node.podName('traced') } });
    expect(collector.resources).toContainEqual({ 'service.name': 'kubelet', 'host.name': 'traced' });
  });
});
