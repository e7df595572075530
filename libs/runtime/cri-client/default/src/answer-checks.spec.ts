import { describe, expect, it } from '@jest/globals';
import type { Handlers } from './fixtures/cri-server.js';
import { rejection, setUp } from './fixtures/client-under-test.js';
import type { CriClient } from './grpc-cri-client.js';

describe('an answer to the CRI client', () => {
  it.each<[string, Handlers, (client: CriClient) => Promise<unknown>, string]>([
    ['a sandbox without id', { runPodSandbox: () => ({}) }, (c) => c.runPodSandbox({}), 'podSandboxId is not set'],
    ['a container without id', { createContainer: () => ({}) }, (c) => c.createContainer({}), 'ContainerId is not set'],
    [
      'one condition',
      { status: () => ({ status: { conditions: [{ type: 'RuntimeReady' }] } }) },
      (c) => c.status({}),
      'NetworkReady condition',
    ],
    ['an empty URL', { exec: () => ({}) }, (c) => c.exec({}), 'URL is not set'],
    [
      'an image without size',
      { imageStatus: () => ({ image: { id: 'i' } }) },
      (c) => c.imageStatus({}),
      'Id or size of image',
    ],
    ['a pull without reference', { pullImage: () => ({}) }, (c) => c.pullImage({}), 'imageRef of image'],
    [
      'a status without creation time',
      {
        containerStatus: () => ({ status: { id: 'c', metadata: { name: 'n' }, image: { image: 'i' }, imageRef: 'r' } }),
      },
      (c) => c.containerStatus({}),
      'status.CreatedAt is not set',
    ],
  ])('is refused: %s', async (_name, handlers, call, message) => {
    const { client } = await setUp(handlers);
    const error = await rejection(call(client));
    expect(error.code).toBe('internal');
    expect(error.message).toContain(message);
  });

  it('may be an absent image or an absent status', async () => {
    const { client } = await setUp({ imageStatus: () => ({}), containerStatus: () => ({}) });
    expect((await client.imageStatus({ image: { image: 'x' } })).image).toBeUndefined();
    expect((await client.containerStatus({ containerId: 'c' })).status).toBeUndefined();
  });
});
