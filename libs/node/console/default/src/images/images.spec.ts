import { describe, expect, it } from '@jest/globals';
import type { Image } from '@podwright/cri-client-interface';
import { createTestNode } from '../fixtures/test-node.js';
import { ImageList } from './image-list.js';
import { imagesView, type ImageKnowledge } from './images-view.js';

const image = (id: string, size: bigint, more: Partial<Image> = {}): Image => ({
  ...{ id, size, repoTags: [`${id}:1`], repoDigests: [`${id}@sha256:d`], uid: undefined, username: '' },
  ...{ spec: undefined, pinned: false, ...more },
});
const container = (name: string, imageId: string, imageRef: string): never => ({ name, imageId, imageRef }) as never;

describe('the view of images', () => {
  it('has the largest first, each with those who use it', () => {
    const known: ImageKnowledge = {
      images: [image('a', 1n), image('b', 2n ** 40n), image('c', 1n, { pinned: true })],
      pods: [
        {
          namespace: 'shop',
          name: 'web',
          containers: [container('main', 'b', 'b@sha256:d'), container('old', 'b', 'b')],
        },
        // CRI-O calls an image by its digest.
        { namespace: 'shop', name: 'api', containers: [container('main', 'x', 'a@sha256:d')] },
      ],
      pulls: [
        {
          ...{ image: 'big:1', podNamespace: 'shop', podName: 'big', podUid: 'u', state: 'pulling' },
          ...{ waitedMs: 2_100, pulledMs: 2_000 },
        },
      ],
      nowMs: 10_000,
    };
    expect(imagesView(known)).toEqual({
      images: [
        {
          ...{ id: 'b', names: ['b:1', 'b@sha256:d'], sizeBytes: 2 ** 40, pinned: false },
          users: [
            { namespace: 'shop', pod: 'web', container: 'main' },
            { namespace: 'shop', pod: 'web', container: 'old' },
          ],
        },
        {
          ...{ id: 'a', names: ['a:1', 'a@sha256:d'], sizeBytes: 1, pinned: false },
          users: [{ namespace: 'shop', pod: 'api', container: 'main' }],
        },
        { id: 'c', names: ['c:1', 'c@sha256:d'], sizeBytes: 1, pinned: true, users: [] },
      ],
      pulls: [{ image: 'big:1', pod: 'shop/big', sinceMs: 8_000, state: 'pulling' }],
    });
  });
});

describe('ImageList', () => {
  const { signal } = new AbortController();
  const imageFs = () => ({ usedBytes: 1, capacityBytes: 2 });

  it('asks the runtime again when something happened to images, and every half minute', async () => {
    let asked = 0;
    const node = createTestNode({
      images: { listImages: async () => ({ images: [image(`i${asked++}`, 1n)] }) },
    });
    const list = new ImageList(node.deps, imageFs);
    await list.list(signal);
    await list.list(signal);
    expect([asked, list.changed()?.images.length, list.changed()]).toEqual([1, 1, undefined]);
    list.touch();
    await list.list(signal);
    expect([asked, list.changed()?.images[0]?.id]).toEqual([2, 'i1']);
    await node.clock.advance(30_000);
    await list.list(signal);
    expect(asked).toBe(3);
  });

  it('keeps what it knew while the runtime does not answer', async () => {
    let answers = true;
    const node = createTestNode({
      images: { listImages: async () => (answers ? { images: [image('a', 1n)] } : Promise.reject(new Error('down'))) },
    });
    const list = new ImageList(node.deps, imageFs);
    await list.list(signal);
    list.changed();
    answers = false;
    list.touch();
    await list.list(signal);
    expect([list.changed(), list.view().images.length]).toEqual([undefined, 1]);
    expect(node.logger.messages('error')).toEqual(['The console cannot list images']);
  });
});
