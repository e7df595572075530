import { beforeEach, describe, expect, it } from '@jest/globals';
import { ImageNode } from './fixtures/image-node.js';

const minuteMs = 60_000;

describe('ThresholdImageGc', () => {
  let node: ImageNode;
  beforeEach(() => {
    node = new ImageNode();
  });
  const removed = (): string[] => node.said('Removing image to free bytes').map(({ imageId }) => String(imageId));

  /** As the collector finds it two minutes and more after it has seen the images. */
  async function known(gc: ReturnType<ImageNode['gc']>): Promise<void> {
    await gc.garbageCollect().catch(() => undefined);
    await node.clock.advance(2 * minuteMs);
    node.events.length = 0;
    node.logger.clear();
    node.pruned.length = 0;
  }

  it('refuses a low threshold above the high one, and percents that are none', () => {
    expect(() => node.gc({ highThresholdPercent: 70 })).toThrow(
      'lowThresholdPercent 80 can not be higher than highThresholdPercent 70',
    );
    expect(() => node.gc({ highThresholdPercent: 101 })).toThrow('highThresholdPercent');
    expect(() => node.gc({ highThresholdPercent: 80 })).not.toThrow();
  });

  it('says in upstream words when unused images are not enough, and counts what was removed', async () => {
    const gc = node.gc();
    const images = [node.add('a', 40), node.add('b', 10)];
    node.otherBytes = 900;
    await known(gc);
    const message =
      "Insufficient free disk space on the node's image filesystem (95% of 1000 B used). Failed to free sufficient " +
      'space by deleting unused images (freed 50 bytes). Investigate disk usage, as it could be used by active images, ' +
      'logs, volumes, or other data.';
    await expect(gc.garbageCollect()).rejects.toThrow(message);
    expect(node.events).toEqual([`Node Warning FreeDiskSpaceFailed ${message}`]);
    expect(removed()).toEqual(images);
    expect(node.said('Disk usage on image filesystem is over the high threshold')).toMatchObject([
      { usage: 95, highThreshold: 85, amountToFree: 150, lowThreshold: 80 },
    ]);
    expect(await node.metrics.render()).toContain('kubelet_image_garbage_collected_total{reason="space"} 2');
    expect(node.tracer.spans.map(({ name }) => name)).toContain('Images/GarbageCollect');
  });

  it('says that the capacity is not known', async () => {
    node.capacityBytes = undefined;
    await expect(node.gc().garbageCollect()).rejects.toThrow('invalid capacity 0 on image filesystem');
    expect(node.events).toEqual(['Node Warning InvalidDiskCapacity invalid capacity 0 on image filesystem']);
  });

  it('makes an event of the second failure in a row, not of the first', async () => {
    node.fsError = new Error('no stats');
    const gc = node.gc();
    await gc.start();
    await node.clock.advance(0);
    const once = 'Image garbage collection failed once. Stats initialization may not have completed yet';
    expect(node.said(once)).toHaveLength(1);
    expect(node.events).toEqual([]);
    expect(gc.healthy()).toMatchObject({ ok: true, detail: 'the last image garbage collection has failed' });
    await node.clock.advance(5 * minuteMs);
    expect(node.said('Image garbage collection failed multiple times in a row')).toHaveLength(1);
    expect(node.events).toEqual(['Node Warning ImageGCFailed no stats']);
    node.fsError = undefined;
    await node.clock.advance(5 * minuteMs);
    node.fsError = new Error('again');
    await node.clock.advance(5 * minuteMs);
    expect(node.said(once)).toHaveLength(2);
    expect(node.events).toHaveLength(1);
    await gc.stop();
  });

  it('ends in an error without event when an image would not go, says how many bytes went, and prunes nothing', async () => {
    const gc = node.gc();
    const [stuck, other] = [node.add('a', 40), node.add('b', 10)];
    node.otherBytes = 900;
    await known(gc);
    node.cri.faults.fail({ rpc: 'removeImage', subject: stuck }, { code: 'unknown', message: 'read-only', times: 9 });
    await expect(gc.garbageCollect()).rejects.toThrow(
      'wanted to free 150 bytes, but freed 10 bytes space with errors in image deletion: rpc error: code = Unknown desc = read-only',
    );
    expect(node.events).toEqual([]);
    expect(node.pruned).toEqual([]);
    expect(removed()).toEqual([stuck, other]);
    expect(node.journal.of('image.removed').slice(-2)).toMatchObject([
      { imageId: stuck, names: expect.arrayContaining(['a']), cause: 'threshold', sizeBytes: 40, error: 'read-only' },
      { imageId: other, names: expect.arrayContaining(['b']), cause: 'threshold', sizeBytes: 10 },
    ]);
    const pass = { cause: 'threshold', usagePercent: 95, bytesToFree: 150, freedBytes: 10, removed: 1 };
    expect(node.journal.of('image.gc').at(-1)).toMatchObject({ ...pass, error: 'read-only' });
    expect(node.images()).toEqual([stuck]);
    await expect(gc.deleteUnusedImages()).rejects.toThrow('wanted to free 9223372036854775807 bytes');
  });

  describe('by age', () => {
    const hourMs = 60 * minuteMs;

    it('removes what was not used for longer, once the kubelet has run for longer itself', async () => {
      const gc = node.gc({ maxAgeMs: hourMs });
      const [never, used] = [node.add('a', 1), node.add('b', 1)];
      const container = await node.use(used, 'image');
      await gc.garbageCollect();
      await node.clock.advance(hourMs);
      await gc.garbageCollect();
      expect(node.images()).toEqual([never, used]); // not longer
      await node.clock.advance(1);
      await node.cri.removeContainer({ containerId: container });
      await gc.garbageCollect();
      expect(node.images()).toEqual([used]);
      await node.clock.advance(hourMs);
      await gc.garbageCollect();
      expect(node.images()).toEqual([]);
      expect(await node.metrics.render()).toContain('kubelet_image_garbage_collected_total{reason="age"} 2');
      expect(node.pruned).toEqual([]); // for disk space only
    });

    it('ends the pass when one would not go, after trying the others', async () => {
      const gc = node.gc({ maxAgeMs: hourMs });
      const ids = ['a', 'b', 'c'].map((name) => node.add(name, 300));
      await node.clock.advance(hourMs + 1);
      for (const [subject, message] of [
        [ids[0] ?? '', 'no'],
        [ids[1] ?? '', 'never'],
      ] as const) {
        node.cri.faults.fail({ rpc: 'removeImage', subject }, { code: 'unknown', message });
      }
      await expect(gc.garbageCollect()).rejects.toThrow(
        'wanted to free images older than 1h0m0s, encountered errors in image deletion: [rpc error: code = Unknown desc = no, rpc error: code = Unknown desc = never]',
      );
      expect(node.images()).toEqual(ids.slice(0, 2));
      expect(node.said('Disk usage on image filesystem')).toEqual([]);
    });

    it('starts anew with the kubelet: nothing is remembered over a restart', async () => {
      const old = node.add('a', 1);
      await node.gc({ maxAgeMs: hourMs }).garbageCollect();
      await node.clock.advance(2 * hourMs);
      await node.gc({ maxAgeMs: hourMs }).garbageCollect();
      expect(node.images()).toEqual([old]);
    });
  });

  it('only looks when it is off, so that a node under pressure knows how old images are', async () => {
    const gc = node.gc({ highThresholdPercent: 100 });
    node.add('a', 1000);
    await gc.start();
    await node.clock.advance(10 * minuteMs);
    expect(node.said('ImageGCHighThresholdPercent is set 100 and ImageMaximumGCAge is 0')).toHaveLength(1);
    expect(node.cri.calls.count('listImages')).toBe(3);
    expect(node.images()).toHaveLength(1);
    await gc.deleteUnusedImages();
    expect(node.images()).toEqual([]);
    await gc.stop();
  });

  it('tells the records of pulls which images are still there, and since when', async () => {
    const gc = node.gc();
    node.add('old', 100);
    const used = node.add('used', 100);
    await node.use(used, 'image');
    await known(gc);
    const young = node.add('young', 5);
    await node.clock.advance(1);
    const untilMs = node.clock.now();
    node.pruneError = new Error('disk full');
    await gc.deleteUnusedImages();
    expect(node.pruned).toEqual([{ kept: [used, young], untilMs }]);
    expect(node.said('Records of pulled images were not pruned')).toHaveLength(1);
  });

  describe('beside the sum of sizes', () => {
    it('says what the file system gained', async () => {
      const gc = node.gc();
      node.add('a', 100);
      await known(gc);
      await gc.deleteUnusedImages();
      expect(node.said('Images were removed')).toMatchObject([
        { images: 1, wantedBytes: 'all', sizesBytes: 100, fileSystemBytes: 100, availableBytes: 1000 },
      ]);
      const page = await node.metrics.render();
      expect(page).toContain('podwright_image_gc_freed_bytes_total{measure="image_sizes"} 100');
      expect(page).toContain('podwright_image_gc_freed_bytes_total{measure="file_system"} 100');
    });

    it('warns when that is far less, and decides by the sizes all the same', async () => {
      const gc = node.gc();
      node.add('a', 250);
      node.otherBytes = 700;
      await known(gc);
      const remove = node.cri.removeImage;
      node.cri.removeImage = async (request, options) => {
        node.otherBytes += 240; // layers that another image shares
        return remove(request, options);
      };
      await gc.garbageCollect();
      expect(node.said('Images were removed, the image filesystem gained far less than their sizes')).toMatchObject([
        { wantedBytes: 150, sizesBytes: 250, fileSystemBytes: 10 },
      ]);
      expect(node.events).toEqual([]);
    });

    it('does without what the file system says', async () => {
      const gc = node.gc();
      node.add('a', 100);
      await known(gc);
      node.fsError = new Error('gone');
      await gc.deleteUnusedImages();
      expect(node.images()).toEqual([]);
      expect(node.said('Images were removed, but the image filesystem does not report')).toHaveLength(1);
    });
  });

  it('asks about each container once, whatever it mounts', async () => {
    const gc = node.gc();
    await node.use(node.add('a', 1), 'image', true);
    await node.use(node.add('b', 1), 'volume', true);
    for (let pass = 0; pass < 3; pass++) await gc.garbageCollect();
    expect(node.cri.calls.count('containerStatus')).toBe(2);
    expect(node.cri.calls.count('listImages')).toBe(3);
  });

  it('calls nothing unused when the runtime does not tell of a container, unless that is gone', async () => {
    const gc = node.gc();
    const used = node.add('a', 900);
    const container = await node.use(used, 'image');
    node.cri.faults.fail({ rpc: 'containerStatus', subject: container }, { code: 'unavailable', message: 'down' });
    await expect(gc.deleteUnusedImages()).rejects.toThrow(
      'get container status: rpc error: code = Unavailable desc = down',
    );
    node.cri.faults.fail({ rpc: 'containerStatus', subject: container }, { code: 'not-found', message: 'gone' });
    await expect(gc.deleteUnusedImages()).resolves.toBeUndefined();
    expect(node.images()).toEqual([used]);
  });

  it('stops while the runtime hangs, and ends a wait of a caller', async () => {
    const gc = node.gc();
    node.cri.faults.hang({ rpc: 'listImages' });
    await gc.start();
    const waiting = gc.deleteUnusedImages().then(
      () => undefined,
      (error: unknown) => error,
    );
    await node.clock.advance(10);
    await gc.stop();
    expect(String(await waiting)).toContain('image garbage collection is stopping');
    expect(node.events).toEqual([]);
  });
});
