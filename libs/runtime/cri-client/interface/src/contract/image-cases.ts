import { expect, it } from '@podwright/contract';
import type { ContractPods } from './contract-pods.js';
import { differs, type CriCapabilities } from './cri-harness.js';

const missing = { image: 'absent.invalid/nothing:1' };

export function imageCases(pods: () => ContractPods, capabilities: CriCapabilities, timeoutMs: number): void {
  it(
    'shows an image that is present, by name and by id, and lists it',
    async () => {
      const { images, image } = pods().harness;
      const { image: found } = await pods().settled(images.imageStatus({ image: { image } }));
      expect(found?.repoTags).toContain(image);
      expect(found?.size).toBeGreaterThan(0n);
      const byId = await pods().settled(images.imageStatus({ image: { image: found?.id } }));
      expect(byId.image?.id).toBe(found?.id);
      const { images: all } = await pods().settled(images.listImages({}));
      expect(all.map(({ id }) => id)).toContain(found?.id);
    },
    timeoutMs,
  );

  it(
    'answers nothing for an image that is not there, removes it without complaint, and creates no container from it',
    async () => {
      const { images } = pods().harness;
      expect((await pods().settled(images.imageStatus({ image: missing }))).image).toBeUndefined();
      await pods().settled(images.removeImage({ image: missing }));
      const sandbox = await pods().run();
      const code = differs(capabilities, 'errors-without-code') ? 'unknown' : 'not-found';
      const message = await pods().refused(pods().create(sandbox, 'exits-0', { image: missing }), code);
      expect(message).toContain(missing.image);
    },
    timeoutMs,
  );

  it(
    'fails to pull what does not exist',
    async () => {
      const { images } = pods().harness;
      const message = await pods().refused(images.pullImage({ image: missing }), 'unknown', 'not-found', 'unavailable');
      expect(message).toContain('absent.invalid');
    },
    timeoutMs,
  );

  it(
    'says where images are kept',
    async () => {
      const { imageFilesystems } = await pods().settled(pods().harness.images.imageFsInfo({}));
      expect(imageFilesystems.length).toBeGreaterThan(0);
      expect(imageFilesystems[0]?.fsId?.mountpoint).toMatch(/^\//);
    },
    timeoutMs,
  );

  (capabilities.pull ? it : it.skip)(
    'pulls an image once and again, and removes it (needs a harness with an image to pull)',
    async () => {
      const { images, pullable } = pods().harness;
      const image = { image: pullable ?? '' };
      const { imageRef } = await pods().settled(images.pullImage({ image }));
      const { image: pulled } = await pods().settled(images.imageStatus({ image }));
      const names = [pulled?.id, ...(pulled?.repoDigests ?? [])];
      expect(names).toContain(imageRef);
      expect((await pods().settled(images.pullImage({ image }))).imageRef).toBe(imageRef);
      await pods().settled(images.removeImage({ image }));
      expect((await pods().settled(images.imageStatus({ image }))).image).toBeUndefined();
      await pods().settled(images.removeImage({ image }));
    },
    timeoutMs,
  );
}
