import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { ImageGc } from '@podwright/image-gc-interface';
import { describeImageGcContract } from '@podwright/image-gc-interface/contract';
import type { ImageGcHarness } from '@podwright/image-gc-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: ImageGcHarness) => Partial<ImageGcHarness>;

const broken = (replaced: (good: ImageGc, harness: ImageGcHarness) => Partial<ImageGc>): Broken =>
  breaksIn('gc', replaced);
const minutes = (count: number): number => count * 60_000;

const removesAll = broken((good) => ({ garbageCollect: () => good.deleteUnusedImages() }));
const removesNothing = broken(() => ({ garbageCollect: () => Promise.resolve() }));
const neverRejects = broken((good) => ({ garbageCollect: () => good.garbageCollect().catch(() => undefined) }));
const overlooksUse =
  (what: 'image' | 'volume'): Broken =>
  ({ use }) => ({
    use: async (imageId, as) => (as === what ? undefined : use(imageId, as)),
  });

describeContractProof(
  'ImageGc',
  (create) => describeImageGcContract('a broken ImageGc', create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('gc'),
      'its health cannot be asked for': broken(() => ({
        healthy: () => {
          throw new Error('not started');
        },
      })),
      'a timer is left': () => ({ pendingTimers: () => 1 }),
    },
    'removes nothing below the high threshold': {
      'it removes what is unused': removesAll,
    },
    'removes those detected first until the low threshold is reached, and no more': {
      'it removes all that is unused': removesAll,
      'it removes nothing': removesNothing,
      'it passes over the one detected first': broken((good, { images, obstruct }) => ({
        garbageCollect: async () => {
          for (const id of images().slice(0, 1)) obstruct(id);
          await good.garbageCollect().catch(() => undefined);
        },
      })),
    },
    'removes neither what a container uses, as image or volume, nor what is pinned': {
      'it removes the image of a container': overlooksUse('image'),
      'it removes the image of a volume': overlooksUse('volume'),
      'it removes what is pinned': ({ addImage }) => ({ addImage: (name, units) => addImage(name, units) }),
      'it removes nothing': removesNothing,
      'it rejects although enough was freed': broken((good) => ({
        garbageCollect: () => good.garbageCollect().then(() => Promise.reject(new Error('not enough'))),
      })),
      'all go under disk pressure': (good) => {
        let pressure = false;
        const deleteUnusedImages = async (): Promise<void> => void (pressure = true);
        return { gc: breaks(good.gc, { deleteUnusedImages }), images: () => (pressure ? [] : good.images()) };
      },
    },
    'removes nothing that is young, and says that too little was freed': {
      'it does not say so': neverRejects,
      'it says so in other words': broken((good) => ({
        garbageCollect: () => good.garbageCollect().catch(() => Promise.reject(new Error('disk is full'))),
      })),
      'it removes what is young': (good) => ({
        addImage: async (name, units) => {
          const id = await good.addImage(name, units);
          await good.gc.deleteUnusedImages(); // sees it
          await good.pass(minutes(2));
          return id;
        },
      }),
      'disk pressure removes what is young': broken((good, { pass }) => ({
        deleteUnusedImages: async () => {
          await pass(minutes(2));
          await good.deleteUnusedImages();
        },
      })),
    },
    'goes on after an image that cannot be removed, and rejects with it': {
      'it only logs that': neverRejects,
      'it gives up at the first': broken((good, { images }) => ({
        garbageCollect: () =>
          images().length < 2 ? good.garbageCollect() : Promise.reject(new Error(`${images()[0]} is stuck`)),
      })),
      'it does not name it': broken((good) => ({
        garbageCollect: () => good.garbageCollect().catch(() => Promise.reject(new Error('one is stuck'))),
      })),
    },
    'removes all that is unused for a node under disk pressure, whatever the usage': {
      'it looks at the usage': broken((good) => ({ deleteUnusedImages: () => good.garbageCollect() })),
    },
    'passes each five minutes once started, whatever became of the last one, and not after stop': {
      'no pass comes by itself': broken(() => ({ start: () => Promise.resolve() })),
      'a failed pass is the last one': (good) => {
        let passes = 0;
        return {
          pass: async (ms) => {
            await good.pass(ms);
            if (ms > 0 && ++passes === 2) await good.gc.stop();
          },
        };
      },
      'a timer is left': () => ({ pendingTimers: () => 1 }),
      'a pass comes after the stop': (good) => {
        let stopped = false;
        const stop = (): Promise<void> => {
          stopped = true;
          return good.gc.stop();
        };
        return { gc: breaks(good.gc, { stop }), images: () => good.images().slice(0, stopped ? 1 : undefined) };
      },
    },
    'does not go on with a call whose signal has aborted': {
      'it overlooks the signal': broken((good) => ({ deleteUnusedImages: () => good.deleteUnusedImages() })),
      'it rejects with an error of its own': broken((good) => ({
        deleteUnusedImages: (signal) =>
          good.deleteUnusedImages(signal).catch(() => Promise.reject(new Error('aborted'))),
      })),
      'it removes first and rejects then': broken((good) => ({
        deleteUnusedImages: async (signal) => {
          await good.deleteUnusedImages();
          signal?.throwIfAborted();
        },
      })),
    },
  },
);
