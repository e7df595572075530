import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { labSupport } from '@podwright/lab';
import { PodResourcesClient } from '@podwright/pod-resources-interface/contract';
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
