import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { labImages, labSupport } from '@podwright/lab';
import { expectNodeExplained, expectPodExplained } from './explained.js';
import { main, podManifest } from './pod-manifests.js';
import { ScriptedRegistry } from './scripted-registry.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';

const mebibyte = 2 ** 20;
/** So many removed images are on the page of a node. */
const shownRemovals = 3;
const support = labSupport();
const onLab = support.ok && process.arch === 'x64' ? describe : describe.skip;
const isRunning = (pod: { status?: { phase?: string } }): boolean => pod.status?.phase === 'Running';

onLab(`a small disk of images${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab({ dataDiskMiB: 240 });
  let node: TestNode;
  let registry: ScriptedRegistry;
  const fill = (name: string): string => `${registry.address}/${name}:1`;

  const usagePercent = async (): Promise<number> => {
    const { blocks, bavail } = await statfs(bed().lab.layout.dataDir);
    return 100 - Math.floor((bavail * 100) / blocks);
  };

  /** Puts an image on the node that takes so much of the disk, and returns its id. */
  const addImage = async (name: string, takesMiB: number): Promise<string> => {
    const { lab, runtime } = bed();
    // containerd keeps the packed layer beside what it has unpacked, CRI-O does not.
    const weight = lab.runtime === 'containerd' ? takesMiB / 2 : takesMiB;
    const image = registry.publish(name, { kind: 'open' }, weight * mebibyte);
    await runtime.client.pullImage({ image: { image } });
    return (await runtime.client.imageStatus({ image: { image } })).image?.id ?? '';
  };
  /** Keeps an image for ever. CRI-O of the lab does so by its name. */
  const pin = async (name: string): Promise<void> => {
    const { lab } = bed();
    if (lab.runtime === 'containerd') await lab.ctr(['images', 'label', fill(name), 'io.cri-containerd.pinned=pinned']);
  };
  /** Those of this spec that are on the node. */
  const images = async (): Promise<readonly string[]> => {
    const { images: all } = await bed().runtime.client.listImages({});
    return all
      .flatMap(({ repoTags }) => repoTags)
      .filter((tag) => tag.startsWith(`${registry.address}/fill`))
      .map((tag) => tag.replace(/^[^/]*\/(.*):1$/, '$1'))
      .sort();
  };
  /** In the order in which the kubelet removed them. */
  const removed = async (): Promise<readonly string[]> =>
    (await node.log()).flatMap(
      (line) => /Removing image to free bytes.*imageId="?((?:sha256:)?[0-9a-f]{64})/.exec(line)?.[1] ?? [],
    );
  const looks = async (): Promise<number> =>
    (await node.log()).filter((line) => line.includes('Image garbage collection')).length;

  beforeAll(async () => {
    registry = await ScriptedRegistry.start(bed().lab);
    node = await bed().startNode('images', {
      configuration: {
        imageGCHighThresholdPercent: 70,
        imageGCLowThresholdPercent: 60,
        imageMinimumGCAge: '1s',
        // Nothing is evicted for the full disk.
        evictionHard: { 'memory.available': '1Mi' },
      },
      flags: ['-v', '4'],
      assembly: [{ name: '@podwright/image-gc', config: { periodMs: 1_000 } }],
    });
    await node.untilUp();
  });

  afterAll(() => registry?.stop());

  /** Until the collector has looked at what is there. */
  const seen = async (): Promise<void> => {
    const before = await looks();
    await node.waitFor('another pass', async () => (await looks()) >= before + 2);
  };

  it('is emptied of unused images over the high threshold, the oldest first; used and pinned ones stay', async () => {
    await addImage('fill-pinned', 16);
    await pin('fill-pinned');
    await addImage('fill-used', 2);
    await node.add(
      podManifest('mounts', {
        volumes: [{ name: 'data', image: { reference: fill('fill-used'), pullPolicy: 'Never' } }],
        containers: [main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
      }),
    );
    await node.waitForPod('mounts', 'runs', isRunning);
    const ids: string[] = [];
    const goneOfThese = async (): Promise<readonly string[]> => (await removed()).filter((id) => ids.includes(id));
    const hasRoomAgain = async (): Promise<boolean> =>
      (await goneOfThese()).length >= shownRemovals && (await usagePercent()) <= 60;
    // A pass may come while an image is being unpacked, and images share layers, so one pass may free too little.
    while (!(await hasRoomAgain()) && ids.length < 15) {
      ids.push(await addImage(`fill-${ids.length}`, 24));
      await seen();
    }
    expect(ids.length).toBeGreaterThan(3);
    expect(await hasRoomAgain()).toBe(true);
    await seen();
    // Those that lab brought are the oldest; then these, in the order in which they came.
    const gone = await goneOfThese();
    expect(gone).toEqual(ids.slice(0, gone.length));
    expect(await images()).toEqual(expect.arrayContaining(['fill-pinned', 'fill-used', `fill-${ids.length - 1}`]));
    const { images: left } = await bed().runtime.client.listImages({});
    const tags = left.flatMap(({ repoTags }) => repoTags);
    expect(tags).toEqual(expect.arrayContaining([labImages.pause, labImages.busybox]));
    await node.add(podManifest('gone', { containers: [main({ image: fill('fill-0'), imagePullPolicy: 'Never' })] }));
    await expectPodExplained(node, node.podName('gone'), 'image-removed', { page: 'image-gone', oneScreen: true });
    await expectNodeExplained(node, 'ready', { page: 'node-image-gc', oneScreen: true });
    const [told = ''] = (await node.log()).filter((line) => line.includes('Images were removed'));
    expect(told).toMatch(/sizesBytes=\d+/);
    expect(Number(/fileSystemBytes=(\d+)/.exec(told)?.[1])).toBeGreaterThan(10 * mebibyte);
  });

  it('that is full to the last byte recovers, and says so while it cannot', async () => {
    const { lab } = bed();
    await addImage('fill-late', 40);
    const filler = await open(path.join(lab.layout.dataDir, 'filler'), 'w');
    const block = Buffer.alloc(mebibyte);
    // The pinned image and what runs are nothing that could go.
    const fill = async (): Promise<string | undefined> => {
      try {
        for (;;) await filler.write(block);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    };
    expect(await fill()).toBe('ENOSPC');
    // A pass that came while the disk was being filled has freed what was wanted then: what it freed is filled again.
    await node.waitFor('an event', async () => {
      await fill();
      return (await node.log()).some((line) => line.includes('reason="FreeDiskSpaceFailed"'));
    });
    const log = (await node.log()).find((line) => line.includes('Insufficient free disk space on the node')) ?? '';
    expect(log).toMatch(/image filesystem \(1?\d\d% of 2\d\d\.\d MiB used\)/);
    await node.waitFor('unused images are gone', async () => (await images()).join() === 'fill-pinned,fill-used');
    // What the images have left, so that there is nothing more to remove.
    expect(await fill()).toBe('ENOSPC');
    await node.waitFor('an event of the second failure', async () =>
      (await node.log()).some((line) => line.includes('reason="ImageGCFailed"')),
    );
    await filler.close();
    await rm(path.join(lab.layout.dataDir, 'filler'));
    const before = (await node.log()).length;
    await node.waitFor('passes succeed again', async () =>
      (await node.log()).slice(before).some((line) => line.includes('Image garbage collection succeeded')),
    );
    await node.add(podManifest('after'));
    await node.waitForPod('after', 'runs', isRunning);
  });
});
