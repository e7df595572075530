import { describe, expect, it } from '@jest/globals';
import { KubeApiError, nodes, type KubeClient } from '@podwright/kube-client-interface';
import { ScriptedTransport } from '@podwright/kube-client-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import type { Node } from '@podwright/kube-types';
import { createTestApiServer } from '@podwright/test-apiserver';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import type { KubeClientConfig } from '../kube-client-config.js';
import { createKubeClient } from '../kube-client.module.js';
import { cborFormat } from './cbor-format.js';
import { protobufFormat } from './protobuf-format.js';
import { splitEvents } from './split-events.js';

const [json, protobuf, cbor] = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/cbor'];
const node = (name: string): Node => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } }) as Node;
const clock = new VirtualClock();

async function clientOn(transport: ScriptedTransport, config: Partial<KubeClientConfig>): Promise<KubeClient> {
  const deps = { clock, random: createSeededRandom('1'), logger: createMemoryLogger() };
  const client = createKubeClient({ transport, ...deps, metrics: createMetricsRegistry() }, config);
  await client.start();
  return client;
}

/** Notes the requests that go to a server; it takes CBOR only when it is to. */
function noting(takesCbor: boolean): ScriptedTransport {
  const server = createTestApiServer({ clock, random: createSeededRandom('server'), cbor: takesCbor }).transport();
  const transport = new ScriptedTransport(() => undefined);
  transport.send = (request, signal) => {
    transport.requests.push(request);
    return server.send(request, signal);
  };
  return transport;
}

describe('the content of requests', () => {
  it.each([
    ['protobuf', { contentType: protobuf }, protobuf, `${protobuf},${json}`],
    ['JSON', { contentType: json }, json, `${json}, */*`],
    ['nothing', { contentType: '' }, protobuf, `${protobuf},${json}`],
    ['an unknown type', { contentType: 'text/x' }, json, `${json}, */*`],
    ['CBOR, which is not allowed', { contentType: cbor }, json, `${json}, */*`],
    ['CBOR', { contentType: cbor, allowCbor: true }, cbor, `${cbor}, */*`],
    ['nothing, with CBOR preferred', { contentType: '', allowCbor: true, preferCbor: true }, cbor, `${cbor}, */*`],
    [
      'protobuf, with CBOR preferred',
      { allowCbor: true, preferCbor: true, contentType: protobuf },
      protobuf,
      undefined,
    ],
  ])('for %s', async (_what, config, type, accept) => {
    const transport = noting(true);
    const client = await clientOn(transport, config);
    await client.create(nodes, node('a'));
    await client.patch(nodes, { name: 'a' }, { type: 'merge', body: {} });
    const [created, patched] = transport.requests;
    expect(created?.headers['content-type']).toBe(type);
    expect(patched?.headers['content-type']).toBe('application/merge-patch+json');
    if (accept !== undefined) expect(patched?.headers['accept']).toBe(accept);
  });

  it('is JSON after the server has refused CBOR once', async () => {
    const transport = noting(false);
    const client = await clientOn(transport, { contentType: cbor, allowCbor: true });
    await expect(client.create(nodes, node('a'))).rejects.toMatchObject({
      httpStatus: 415,
      status: { reason: 'UnsupportedMediaType' },
    });
    expect(await client.create(nodes, node('a'))).toMatchObject({ metadata: { name: 'a' } });
    expect(transport.requests.map(({ headers }) => headers['content-type'])).toEqual([cbor, json]);
  });

  it('is refused before it is sent when it cannot be encoded', async () => {
    const transport = noting(true);
    const client = await clientOn(transport, { contentType: protobuf });
    await expect(client.create(nodes, { ...node('a'), spec: 'x' as never })).rejects.toMatchObject({
      code: 'invalid-argument',
      message: 'unable to encode the request: core.v1.NodeSpec is no object: x',
    });
    expect(transport.requests).toEqual([]);
  });
});

describe('answers in protobuf', () => {
  const answering = (body: Uint8Array): ScriptedTransport => {
    const transport = new ScriptedTransport(() => undefined);
    const stream = (async function* () {
      yield body;
    })();
    transport.send = () =>
      Promise.resolve({ status: 200, headers: { 'content-type': protobuf as string }, body: stream });
    return transport;
  };

  it.each([
    ['text', Buffer.from('{"kind":"Node"}'), "the server's answer is not protobuf: provided data does not appear"],
    [
      'a cut object',
      Buffer.from(protobufFormat.encode(node('a'))).subarray(0, -3),
      "the server's answer is not protobuf",
    ],
    [
      'another kind',
      protobufFormat.encode({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }) as Uint8Array,
      'the server answered with an object of v1 Pod, not of v1 Node',
    ],
  ])('that are %s', async (_what, body, message) => {
    const client = await clientOn(answering(body), { contentType: protobuf });
    const failure = await client.get(nodes, { name: 'a' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(KubeApiError);
    expect(failure).toMatchObject({ code: 'data-loss', message: expect.stringContaining(message) });
  });

  it.each([1, 3, 4, 5, 1_000])('come as events in pieces of %i bytes', async (size) => {
    const events = ['a', 'bb'.repeat(200), 'c'].map((text) => Buffer.from(text));
    const bytes = Buffer.concat(
      events.flatMap((event) => [Buffer.from([0, 0, event.length >> 8, event.length & 255]), event]),
    );
    const pieces = (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })();
    const seen: string[] = [];
    for await (const event of splitEvents(pieces, protobufFormat.eventEnds())) seen.push(String(event.subarray(4)));
    expect(seen).toEqual(events.map(String));
  });
});

it('a watch of CBOR that is none ends with the error of a garbled answer', async () => {
  const pieces = (async function* () {
    yield Buffer.from([0xa1, 0x9d]);
  })();
  await expect(splitEvents(pieces, cborFormat.eventEnds()).next()).rejects.toMatchObject({
    code: 'data-loss',
    message: 'unable to decode an event from the watch stream: malformed CBOR: a head of 0x9d',
  });
});
