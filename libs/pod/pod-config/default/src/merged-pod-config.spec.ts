import { describe, expect, it } from '@jest/globals';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { DeliverPods, PodSource, PodSourceReader } from '@podwright/pod-config-interface';
import { describePodConfigContract } from '@podwright/pod-config-interface/contract';
import { VirtualClock } from '@podwright/time';
import { createContractHarness } from './fixtures/contract-harness.js';
import { MergedPodConfig } from './merged-pod-config.js';

describePodConfigContract('MergedPodConfig', createContractHarness);

describe('MergedPodConfig', () => {
  it('says once which manifest clashes with which, and again after the clash was gone', async () => {
    const logger = createMemoryLogger();
    const journal = new RecordingJournal();
    const twin = (uid: string): Pod => ({
      metadata: { name: 'twin', namespace: 'default', uid },
      spec: { containers: [] },
    });
    const [first, second] = [twin('1'), twin('2')];
    let deliver: (pods: readonly Pod[]) => void = () => undefined;
    const source = {
      source: 'file' as const,
      open: async (listener: typeof deliver) => void (deliver = listener),
      close: async () => undefined,
      originOf: (pod: Pod) => `/manifests/${pod.metadata.uid}.yaml`,
    };
    const events = { event: () => undefined };
    const podConfig = new MergedPodConfig({ events, clock: new VirtualClock(), logger, journal }, [source]);
    podConfig.watch(() => undefined);
    await podConfig.start();
    for (const pods of [[first, second], [first, second], [first], [first, second]]) deliver(pods);
    const message =
      'static pod manifest is not used: /manifests/2.yaml: duplicate pod name "twin", it is already in /manifests/1.yaml';
    expect(logger.entries.map((entry) => entry.message)).toEqual([message, message]);
    expect(journal.kinds()).toEqual(['pod.ignored', 'pod.received', 'pod.ignored']);
    expect(journal.of('pod.ignored')[0]).toMatchObject({ shared: 'name', firstOrigin: '/manifests/1.yaml' });
    expect(journal.of('pod.received')).toMatchObject([{ operation: 'add', source: 'file', pod: { uid: '1' } }]);
  });

  it('names the UID when that is what two manifests of different names share', async () => {
    const logger = createMemoryLogger();
    const reported: string[] = [];
    const named = (name: string): Pod => ({
      metadata: { name, namespace: 'default', uid: '1' },
      spec: { containers: [] },
    });
    let deliver: (pods: readonly Pod[]) => void = () => undefined;
    const source = {
      source: 'file' as const,
      open: async (listener: typeof deliver) => void (deliver = listener),
      close: async () => undefined,
      originOf: (pod: Pod) => `/manifests/${pod.metadata.name}.yaml`,
    };
    const events = { event: (...[, , , message]: readonly unknown[]) => void reported.push(String(message)) };
    const podConfig = new MergedPodConfig({ events, clock: new VirtualClock(), logger }, [source]);
    podConfig.watch(() => undefined);
    await podConfig.start();
    deliver([named('a'), named('b')]);
    expect(reported).toEqual(['Error validating pod b_default(1) from file due to duplicate pod UID "1", ignoring']);
    expect(logger.entries.map((entry) => entry.message)).toEqual([
      'static pod manifest is not used: /manifests/b.yaml: duplicate pod UID "1", it is already in /manifests/a.yaml',
    ]);
  });

  it('updates a pod whose spec was changed and changed back while no watch told of it', async () => {
    let deliver: DeliverPods = () => undefined;
    const source: PodSourceReader = {
      source: 'api',
      open: async (to) => void (deliver = to),
      close: async () => undefined,
    };
    const needs = { events: { event: () => undefined }, clock: new VirtualClock(), logger: createMemoryLogger() };
    const podConfig = new MergedPodConfig({ ...needs, apiSource: source }, []);
    const updates: string[] = [];
    podConfig.watch(({ op, pods }) => updates.push(...pods.map(({ metadata }) => `${op} ${metadata.generation}`)));
    await podConfig.start();
    const pod: Pod = { metadata: { name: 'p', uid: 'p', generation: 2 }, spec: { containers: [] } };
    deliver([pod]);
    deliver([{ ...pod, metadata: { ...pod.metadata, generation: 4 } }]);
    deliver([{ ...pod, metadata: { ...pod.metadata, generation: 4, resourceVersion: '9' } }]);
    expect(updates).toEqual(['ADD 2', 'UPDATE 4']);
  });

  it('hands over static pods before those of the API server when both came before there was a listener', async () => {
    const deliveries = new Map<PodSource, DeliverPods>();
    const reader = (source: PodSource): PodSourceReader => ({
      source,
      open: async (deliver) => void deliveries.set(source, deliver),
      close: async () => undefined,
    });
    const pod = (name: string): Pod => ({
      metadata: { name, namespace: 'default', uid: name },
      spec: { containers: [] },
    });
    const events = { event: () => undefined };
    const needs = { events, clock: new VirtualClock(), logger: createMemoryLogger(), apiSource: reader('api') };
    const podConfig = new MergedPodConfig(needs, [reader('file')]);
    await podConfig.start();
    deliveries.get('api')?.([pod('bound')]);
    deliveries.get('file')?.([pod('static')]);
    const added: string[] = [];
    podConfig.watch(({ op, pods }) => added.push(...pods.map(({ metadata }) => `${op} ${metadata.name}`)));
    expect(added).toEqual(['ADD static', 'ADD bound']);
  });
});
