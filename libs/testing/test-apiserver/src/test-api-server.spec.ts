import { describe, expect, it } from '@jest/globals';
import type { KubeTransport } from '@podwright/kube-client-interface';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { createTestApiServer } from './test-api-server.js';

const pod = { metadata: { name: 'a', labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const path = '/api/v1/namespaces/default/pods';

function setUp(): { readonly clock: VirtualClock; readonly transport: KubeTransport } {
  const clock = new VirtualClock();
  const server = createTestApiServer({ clock, random: createSeededRandom('apiserver') });
  return { clock, transport: server.transport() };
}

async function call(
  transport: KubeTransport,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
) {
  const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const request = { method, path: url, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await transport.send(request, new AbortController().signal);
  let text = '';
  for await (const chunk of response.body) text += new TextDecoder().decode(chunk);
  return { status: response.status, body: JSON.parse(text) as Record<string, never> };
}

describe('createTestApiServer', () => {
  it('creates, reads, patches, lists and deletes', async () => {
    const { transport } = setUp();
    expect(await call(transport, 'POST', path, pod)).toMatchObject({ status: 201, body: { metadata: { name: 'a' } } });
    expect(await call(transport, 'POST', path, pod)).toMatchObject({
      status: 409,
      body: { reason: 'AlreadyExists', message: 'pods "a" already exists' },
    });
    expect(await call(transport, 'PATCH', `${path}/a/status`, { status: { phase: 'Running' } })).toMatchObject({
      status: 200,
      body: { status: { phase: 'Running' } },
    });
    expect(await call(transport, 'GET', '/api/v1/pods?fieldSelector=status.phase%3DRunning')).toMatchObject({
      body: { kind: 'PodList', items: [{ metadata: { name: 'a' } }] },
    });
    await call(transport, 'DELETE', `${path}/a?gracePeriodSeconds=0`);
    expect(await call(transport, 'GET', `${path}/a`)).toMatchObject({
      status: 404,
      body: { message: 'pods "a" not found' },
    });
  });

  it('watches', async () => {
    const { clock, transport } = setUp();
    const watching = call(transport, 'GET', `${path}?watch=1&timeoutSeconds=5`).catch(() => undefined);
    await call(transport, 'POST', path, pod);
    await clock.advance(5_000);
    await watching;
    const response = await transport.send(
      { method: 'GET', path: `${path}?watch=1&labelSelector=app%3Dx`, headers: {} },
      new AbortController().signal,
    );
    const events: string[] = [];
    const iterator = response.body[Symbol.asyncIterator]();
    const read = async (): Promise<void> => {
      const { value } = await iterator.next();
      events.push((JSON.parse(new TextDecoder().decode(value as Uint8Array)) as { type: string }).type);
    };
    await read();
    await call(transport, 'PATCH', `${path}/a`, { metadata: { labels: { app: 'y' } } });
    await read();
    await iterator.return?.();
    expect(events).toEqual(['ADDED', 'DELETED']);
  });
});
