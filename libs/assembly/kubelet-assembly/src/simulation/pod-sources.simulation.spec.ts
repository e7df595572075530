import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MemoryPodSource } from './memory-pod-source.js';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod, simulatedPods } from './simulated-pod.js';

describe('sources of pods', () => {
  let node: SimulatedNode;
  afterEach(() => node.dispose());

  it('nothing is killed before all of them have answered', async () => {
    const wanted = simulatedPods(5);
    node = await SimulatedNode.create();
    await node.boot();
    node.want(...wanted);
    await node.until(() => wanted.every((pod) => node.isReady(pod)));
    await node.stop();
    // The same disk and runtime, but the source is silent at first.
    const source = new MemoryPodSource('api');
    const manifests = path.join(node.dir, 'manifests');
    await mkdir(manifests);
    await node.boot({ staticPodPath: manifests }, source);
    await node.clock.advance(300_000);
    expect(wanted.some((pod) => node.isStopped(pod))).toBe(false);
    source.set([]);
    await node.until(() => wanted.every((pod) => node.isStopped(pod)));
  });

  describe('a folder of manifests', () => {
    let manifests: string;
    beforeEach(async () => {
      node = await SimulatedNode.create();
      manifests = path.join(node.dir, 'manifests');
      await mkdir(manifests);
      await node.boot({ staticPodPath: manifests, fileCheckFrequency: '5s' });
    });

    const manifest = (name: string, image: string): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { containers: [{ name: 'main', image }] },
      });
    const running = (name: string): readonly string[] =>
      node.runtime.control
        .containers()
        .filter(
          (container) => container.running && container.config.labels?.['io.kubernetes.pod.name'] === `${name}-node`,
        )
        .map(({ config }) => config.image?.userSpecifiedImage ?? '');

    it('a pod comes, is replaced by its changed manifest, and goes', async () => {
      const file = path.join(manifests, 'web.json');
      await writeFile(file, manifest('web', 'registry.test/web:1'));
      await node.until(() => running('web').length === 1);
      await writeFile(file, manifest('web', 'registry.test/web:2'));
      await node.until(() => running('web').join() === 'registry.test/web:2');
      // The UID follows from the content: it was another pod, which waited for the end of the first.
      expect(new Set(node.runtime.control.sandboxes.map(({ podUid }) => podUid)).size).toBe(2);
      await rm(file);
      await node.until(() => running('web').length === 0);
    });

    it('a broken manifest costs nothing but itself', async () => {
      await writeFile(path.join(manifests, 'broken.yaml'), 'apiVersion: v1\nkind: Pod\nspec: [');
      await writeFile(path.join(manifests, 'web.json'), manifest('web', 'registry.test/web:1'));
      await node.until(() => running('web').length === 1);
      expect(JSON.stringify(node.logger.entries)).toContain('broken.yaml');
    });
  });
});

describe('a single run', () => {
  it('starts the pods of all sources, waits for them and tells what became of each', async () => {
    const node = await SimulatedNode.create();
    node.runtime.programs.set('done', { exitAfterMs: 2_000 });
    node.runtime.store.publish('registry.test/missing:1', {
      pullErrors: Array.from({ length: 99 }, () => ({ code: 'not-found' as const, message: 'no such image' })),
    });
    const ends = simulatedPod('ends', {
      restartPolicy: 'Never',
      containers: [{ name: 'done', image: 'registry.test/done:1' }],
    });
    const missing = simulatedPod('missing', { containers: [{ name: 'main', image: 'registry.test/missing:1' }] });
    node.want(simulatedPod('runs'), ends, missing);
    const results = await node.runOnce(30_000);
    expect(results.map(({ pod, error }) => [pod.metadata.name, error === undefined])).toEqual([
      ['runs', true],
      ['ends', true],
      ['missing', false],
    ]);
    expect(results[2]?.error).toMatch(/main: (ErrImagePull|ImagePullBackOff)/);
    // The pods live on.
    expect(node.runtime.control.containers('uid-runs')[0]?.running).toBe(true);
    await node.dispose();
  });
});
