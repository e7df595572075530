import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { podUid, type Pod } from '@podwright/kube-types';
import { MemoryPodSource } from './memory-pod-source.js';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

describe('a downwardAPI volume', () => {
  let node: SimulatedNode;
  afterEach(() => node.dispose());

  const observed = simulatedPod('observed', {
    volumes: [
      {
        name: 'info',
        downwardAPI: { defaultMode: 0o644, items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
      },
    ],
    containers: [
      {
        name: 'main',
        image: 'registry.test/main:1',
        imagePullPolicy: 'IfNotPresent',
        volumeMounts: [{ name: 'info', mountPath: '/info' }],
      },
    ],
  });
  const labelled = (labels: Readonly<Record<string, string>>): Pod => ({
    ...observed,
    metadata: { ...observed.metadata, annotations: { 'kubernetes.io/config.source': 'api' }, labels },
  });
  const mountOf = (): string =>
    node.runtime.control
      .containers()
      .flatMap(({ running, config }) => (running ? (config.mounts ?? []) : []))
      .find(({ containerPath }) => containerPath === '/info')?.hostPath ?? '';
  const content = (): Promise<string> => readFile(path.join(mountOf(), 'labels'), 'utf8').catch(String);
  /** As `node.until`, for what is on disk. */
  const untilOnDisk = async (test: () => Promise<boolean>): Promise<void> => {
    for (let tries = 0; !(await test()); tries += 1) {
      if (tries === 600) throw new Error(`not within a minute; the file says ${await content()}`);
      await node.clock.advance(100);
    }
  };
  const starts = (): number => node.runtime.control.containers().length;

  it('is there before the container, and follows the labels of a pod that goes on running', async () => {
    const source = new MemoryPodSource('api', [labelled({ step: 'one' })]);
    node = await SimulatedNode.create({ source });
    await node.boot();
    await node.until(() => node.isReady(observed));
    expect([
      await content(),
      mountOf().includes(`${podUid(observed)}/volumes/kubernetes.io~downward-api/info`),
    ]).toEqual(['step="one"', true]);
    source.set([labelled({ step: 'two', more: 'yes' })]);
    await untilOnDisk(async () => (await content()) === 'more="yes"\nstep="two"');
    expect([starts(), node.isReady(observed)]).toEqual([1, true]);
  });

  it('is found again by the next kubelet after a kill, and goes with its pod', async () => {
    const source = new MemoryPodSource('api', [labelled({ step: 'one' })]);
    node = await SimulatedNode.create({ source });
    await node.boot();
    await node.until(() => node.isReady(observed));
    await node.kill();
    source.set([labelled({ step: 'two' })]);
    await node.boot();
    await untilOnDisk(async () => (await content()) === 'step="two"');
    expect(starts()).toBe(1);
    const volume = mountOf();
    source.set([]);
    await untilOnDisk(async () => (await readFile(path.join(volume, 'labels')).catch(() => 'gone')) === 'gone');
  });
});
