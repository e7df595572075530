import { expect, it } from '@jest/globals';
import type { EventObject } from '@podwright/events-interface';
import { coreEvents } from '@podwright/kube-client-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { TestCluster } from '@podwright/test-cluster';
import { createApiEventRecorder } from './api-event-recorder.module.js';

const metadata = { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '7' };
const pod: EventObject = { kind: 'Pod', pod: { metadata }, fieldPath: 'spec.containers{app}' };

it('ApiEventRecorder writes and counts up events as a node of a cluster', async () => {
  const cluster = new TestCluster();
  const { clock, random } = cluster;
  const recorder = createApiEventRecorder(
    {
      client: cluster.client({ name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }),
      clock,
      random,
      logger: createMemoryLogger(),
      metrics: createMetricsRegistry(),
    },
    { nodeName: 'n1' },
  );
  await recorder.start();
  recorder.event({ kind: 'Node' }, 'Normal', 'Starting', 'Starting kubelet.');
  for (let time = 0; time < 3; time += 1) {
    recorder.event(pod, 'Warning', 'BackOff', 'Back-off restarting failed container');
    await clock.advance(10_000);
  }
  const { items } = await cluster.client().list(coreEvents, { namespace: 'default' });
  const told = items.map(({ involvedObject, reason, count, source }) => [involvedObject.name, reason, count, source]);
  expect(told.sort()).toEqual([
    ['n1', 'Starting', 1, { component: 'kubelet', host: 'n1' }],
    ['web', 'BackOff', 3, { component: 'kubelet', host: 'n1' }],
  ]);
  await recorder.stop();
  await cluster.stop();
});
