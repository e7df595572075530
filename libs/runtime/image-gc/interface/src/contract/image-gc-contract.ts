import { describe, expect, it } from '@podwright/contract';
import type { ImageGc } from '../image-gc.js';

/**
 * One fresh instance, not started, on a node without images or containers, with the default thresholds: collection
 * begins at 85 percent of the disk, ends at 80, and spares images younger than two minutes. The disk holds 1000 units;
 * only images take space.
 */
export interface ImageGcHarness {
  readonly gc: ImageGc;
  /** Puts an image of this size, in units of the disk, on the node. Resolves with its id. */
  addImage(name: string, units: number, options?: { readonly pinned?: boolean }): Promise<string>;
  /** Adds an ended container that runs the image, or mounts it as a volume. */
  use(imageId: string, as: 'image' | 'volume'): Promise<void>;
  /** Ids of the images on the node. */
  images(): readonly string[];
  /** From now on removals of the image reject with a message that names its id. */
  obstruct(imageId: string): void;
  /** Advances the virtual clock and lets pending work proceed. */
  pass(ms: number): Promise<void>;
  /** Timers that still run; must be 0 after stop. */
  pendingTimers(): number;
}

const minuteMs = 60_000;

/** Every implementation of {@link ImageGc} passes this suite; `create` gives a new instance per case. */
export function describeImageGcContract(name: string, create: () => Promise<ImageGcHarness>): void {
  describe(`${name} as an ImageGc`, () => {
    /** Adds images that the collector has known for long enough to remove them, the oldest first. */
    async function withImages(...units: number[]): Promise<ImageGcHarness & { readonly ids: readonly string[] }> {
      const harness = await create();
      const ids: string[] = [];
      for (const [index, size] of units.entries()) {
        ids.push(await harness.addImage(`image-${index}`, size));
        await harness.gc.garbageCollect().catch(() => undefined); // an image's age counts from the pass that first sees it
        await harness.pass(1_000);
      }
      await harness.pass(2 * minuteMs);
      return { ...harness, ids };
    }

    it('can be stopped before it was started, and twice', async () => {
      const { gc, pendingTimers } = await create();
      await gc.stop();
      await Promise.all([gc.stop(), gc.stop()]);
      expect(() => gc.healthy()).not.toThrow();
      expect(pendingTimers()).toBe(0);
    });

    it('removes nothing below the high threshold', async () => {
      const { gc, ids, images } = await withImages(400, 440);
      await gc.garbageCollect();
      expect(images()).toEqual(ids);
      await gc.stop();
    });

    it('removes those detected first until the low threshold is reached, and no more', async () => {
      const { gc, ids, images } = await withImages(30, 30, 400, 440);
      await gc.garbageCollect();
      expect(images()).toEqual([...ids.slice(3)]);
      await gc.stop();
    });

    it('removes neither what a container uses, as image or volume, nor what is pinned', async () => {
      const harness = await create();
      const { gc } = harness;
      const kept = [await harness.addImage('used', 300), await harness.addImage('mounted', 300)];
      kept.push(await harness.addImage('pinned', 200, { pinned: true }));
      await harness.use(kept[0] ?? '', 'image');
      await harness.use(kept[1] ?? '', 'volume');
      await harness.addImage('unused', 100);
      await gc.garbageCollect().catch(() => undefined);
      await harness.pass(2 * minuteMs);
      await expect(gc.garbageCollect()).resolves.toBeUndefined();
      expect(harness.images()).toEqual(kept);
      await gc.deleteUnusedImages();
      expect(harness.images()).toEqual(kept);
      await gc.stop();
    });

    it('removes nothing that is young, and says that too little was freed', async () => {
      const { gc, addImage, images } = await create();
      const young = await addImage('young', 900);
      await expect(gc.garbageCollect()).rejects.toThrow('Failed to free sufficient space by deleting unused images');
      await gc.deleteUnusedImages();
      expect(images()).toEqual([young]);
      await gc.stop();
    });

    it('goes on after an image that cannot be removed, and rejects with it', async () => {
      const { gc, ids, images, obstruct } = await withImages(450, 450);
      obstruct(ids[0] ?? '');
      await expect(gc.garbageCollect()).rejects.toThrow(ids[0]);
      expect(images()).toEqual([ids[0]]);
      await gc.stop();
    });

    it('removes all that is unused for a node under disk pressure, whatever the usage', async () => {
      const { gc, images } = await withImages(1, 1, 1);
      await gc.deleteUnusedImages();
      expect(images()).toEqual([]);
      await gc.stop();
    });

    it('passes each five minutes once started, whatever became of the last one, and not after stop', async () => {
      const harness = await create();
      const { gc, pass, images } = harness;
      await gc.start();
      await pass(0);
      const stuck = await harness.addImage('stuck', 450);
      harness.obstruct(stuck);
      await harness.addImage('other', 450);
      await pass(5 * minuteMs); // the first pass sees both images, the second may remove them
      await pass(5 * minuteMs);
      expect(images()).toEqual([stuck]);
      await harness.addImage('third', 450);
      await pass(10 * minuteMs);
      expect(images()).toEqual([stuck]);
      await gc.stop();
      expect(harness.pendingTimers()).toBe(0);
      const later = await harness.addImage('fourth', 450);
      await pass(10 * minuteMs);
      expect(images()).toEqual([stuck, later]);
    });

    it('does not go on with a call whose signal has aborted', async () => {
      const { gc, ids, images } = await withImages(900);
      const reason = new Error('enough');
      await expect(gc.deleteUnusedImages(AbortSignal.abort(reason))).rejects.toThrow('enough');
      expect(images()).toEqual(ids);
      await gc.stop();
    });
  });
}
