import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { EnsureImageRequest } from '@podwright/image-interface';
import { createRuntimeHarness, type RuntimeHarness } from '../fixtures/runtime-harness.js';
import { container, podWith } from '../fixtures/records.js';

const twice = [
  { name: 'data', mountPath: '/a' },
  { name: 'data', mountPath: '/b' },
];
const pod = podWith({
  volumes: [{ name: 'data', image: { reference: 'data:1' } }],
  containers: [container('app', { volumeMounts: twice })],
});

describe('the metrics of image volumes', () => {
  let harness: RuntimeHarness;
  afterEach(() => harness.remove());

  async function valuesAfter(fails: (image: string) => boolean): Promise<Record<string, string>> {
    const ensureImageExists = async ({ image }: EnsureImageRequest): Promise<{ imageRef: string }> => {
      if (fails(image)) throw new KubeletError('gone', { code: 'not-found', reason: 'ErrImagePull' });
      return { imageRef: image };
    };
    harness = await createRuntimeHarness({ deps: { images: { ensureImageExists } } });
    await harness.sync(pod);
    const lines = (await harness.metrics.render())
      .split('\n')
      .filter((line) => /^kubelet_(?:image_v|started_c)/.test(line));
    return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]));
  }

  it('count each volume once, and each of its mounts', async () => {
    const values = await valuesAfter(() => false);
    expect(values).toMatchObject({
      kubelet_image_volume_requested_total: '1',
      kubelet_image_volume_mounted_succeed_total: '2',
      kubelet_image_volume_mounted_errors_total: '0',
    });
  });

  it('do not count a container whose volume has no image among those that failed to start', async () => {
    const values = await valuesAfter((image) => image === 'data:1');
    expect(values).toMatchObject({
      'kubelet_started_containers_total{container_type="container"}': '1',
      kubelet_image_volume_requested_total: '0',
    });
    expect(Object.keys(values).filter((name) => name.includes('errors_total{'))).toEqual([]);
    expect(harness.events).toEqual([
      'Warning Failed spec.containers{app}: Error: ErrImagePull',
      'Warning Failed spec.containers{app}: Error: ErrImagePull',
    ]);
  });

  it('count one whose own image is missing', async () => {
    const values = await valuesAfter((image) => image !== 'data:1');
    const name = 'kubelet_started_containers_errors_total{code="ErrImagePull",container_type="container"}';
    expect(values).toMatchObject({ [name]: '1', kubelet_image_volume_requested_total: '1' });
  });
});
