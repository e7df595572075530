import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { StatusError } from '@podwright/grpc';
import { fail, rejection, setUp } from './fixtures/client-under-test.js';

describe('the CRI client with lists as streams', () => {
  const asked: string[] = [];
  const answers =
    <T>(name: string, answer: T) =>
    () => (asked.push(name), answer);
  const stream = <T>(name: string, ...parts: readonly T[]) =>
    async function* () {
      asked.push(name);
      yield* parts;
    };
  afterEach(() => void asked.splice(0));

  it('joins the parts, and fails when the stream does', async () => {
    const { client } = await setUp(
      {
        streamContainers: stream(
          'stream',
          { containers: [{ id: 'a' }, { id: 'b' }] },
          {},
          { containers: [{ id: 'c' }] },
        ),
        streamImages: async function* () {
          yield { images: [{ id: 'i' }] };
          throw new StatusError(status.INTERNAL, 'broken');
        },
        listImages: answers('list images', {}),
      },
      { streamLists: true },
    );
    const { containers } = await client.listContainers({ filter: { podSandboxId: 's' } });
    expect(containers.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(hasCode(await rejection(client.listImages({})), 'internal')).toBe(true);
    expect(asked).toEqual(['stream']);
  });

  it('asks for whole lists once the runtime has no such call, each service on its own', async () => {
    const { client, logger } = await setUp(
      {
        streamPodSandboxes: fail(status.UNIMPLEMENTED, 'unknown method'),
        listPodSandbox: answers('list sandboxes', { items: [{ id: 's' }] }),
        streamContainers: stream('stream containers'),
        listContainers: answers('list containers', {}),
        streamImages: stream('stream images', {}),
      },
      { streamLists: true },
    );
    expect((await client.listPodSandbox({})).items.map(({ id }) => id)).toEqual(['s']);
    await client.listContainers({});
    await client.listImages({});
    expect(asked).toEqual(['list sandboxes', 'list containers', 'stream images']);
    expect(logger.messages('info')).toContain('StreamPodSandboxes not implemented, falling back to ListPodSandbox');
  });

  it('is not what the gate off means', async () => {
    const { client } = await setUp({ streamContainers: stream('stream'), listContainers: answers('list', {}) });
    await client.listContainers({});
    expect(asked).toEqual(['list']);
  });
});
