import {
  describeInformerContract,
  describeKubeClientContract,
  describeKubeClientFailureContract,
  type KubeClientHarness,
} from '@podwright/kube-client-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createTestApiServer } from '@podwright/test-apiserver';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import type { KubeTransport } from '@podwright/kube-client-interface';
import { createKubeClient } from './create-kube-client.js';

async function onTransport(transport: KubeTransport, clock: VirtualClock): Promise<KubeClientHarness> {
  const kubeClient = createKubeClient({
    transport,
    clock,
    random: createSeededRandom('contract'),
    logger: createMemoryLogger(),
    metrics: createMetricsRegistry(),
  });
  await kubeClient.start();
  return { kubeClient, advance: (ms) => clock.advance(ms), pendingTimers: () => clock.pendingTimers };
}

async function onTestApiServer(): Promise<KubeClientHarness> {
  const clock = new VirtualClock();
  return onTransport(createTestApiServer({ clock, random: createSeededRandom('server') }).transport(), clock);
}

describeKubeClientContract('TransportKubeClient', onTestApiServer);
describeInformerContract('TransportKubeClient', onTestApiServer);
describeKubeClientFailureContract('TransportKubeClient', (transport) => onTransport(transport, new VirtualClock()));
