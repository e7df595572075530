import { pods, configMaps, type KubeObject, type ResourceType } from '@podwright/kube-client-interface';
import { encodeObject, encodeWatchEvent, type TypedObject } from '@podwright/kube-protobuf';
import { encodeCbor } from '@podwright/kube-cbor';
import { decodeList } from '../../../libs/control-plane/kube-client/default/src/answer/decode-list.js';
import { decodeObject } from '../../../libs/control-plane/kube-client/default/src/answer/decode-object.js';
import { cborFormat } from '../../../libs/control-plane/kube-client/default/src/content/cbor-format.js';
import type { ContentFormat } from '../../../libs/control-plane/kube-client/default/src/content/content-format.js';
import { jsonFormat } from '../../../libs/control-plane/kube-client/default/src/content/json-format.js';
import type { SplitList } from '../../../libs/control-plane/kube-client/default/src/content/open-list.js';
import { splitCborList } from '../../../libs/control-plane/kube-client/default/src/content/split-cbor-list.js';
import { splitJsonList } from '../../../libs/control-plane/kube-client/default/src/content/split-json-list.js';
import { protobufFormat } from '../../../libs/control-plane/kube-client/default/src/content/protobuf-format.js';
import { watchEvents } from '../../../libs/control-plane/kube-client/default/src/informer/watch-events.js';
import { answerError } from '../../../libs/control-plane/kube-client/default/src/request/answer-error.js';
import { eachOf, fuzzTarget, refusesAs } from '../fuzz-target.js';
import { messageOf } from '../message-shape.js';

const keep = <T>(item: T): T => item;
const readers = (format: ContentFormat): Readonly<Record<string, (input: Buffer) => unknown>> => ({
  [`${format.name} object`]: (body) => decodeObject({ body, format }, pods),
  [`${format.name} list`]: (body) => decodeList({ body, format }, pods, keep),
  [`${format.name} failure`]: (body) => {
    throw answerError({ status: 409, headers: {} }, { body, format }, { method: 'PUT', resource: pods, name: 'a' });
  },
  [`${format.name} watch`]: async (input) => {
    const body = input.subarray(1);
    const [cut, whole] = [await eventsOf(format, body, (input[0] ?? 0) + 1), await eventsOf(format, body, body.length)];
    if (cut !== whole) throw new TypeError(`other pieces, other events: ${cut} and ${whole}`);
  },
});

/** A long list is decoded item by item: the answer must be that of the whole. */
async function splitAsWhole(
  { decode }: Pick<ContentFormat, 'decode'>,
  split: (body: Buffer) => Promise<SplitList | undefined>,
  body: Buffer,
): Promise<void> {
  const attempt = async (read: () => unknown): Promise<string | undefined> => {
    try {
      return JSON.stringify(await read());
    } catch (error) {
      if (error instanceof TypeError) throw error;
      return undefined;
    }
  };
  const parts = await split(body).catch(() => undefined);
  if (parts === undefined) return;
  const whole = await attempt(() => decode(body));
  const joined = await attempt(() => {
    const items = parts.items.map(([begin, end]) => decode(body.subarray(begin, end)));
    return { ...(decode(parts.envelope) as object), items };
  });
  if (joined !== undefined && joined !== whole)
    throw new TypeError(`split, it is ${joined.slice(0, 100)}, not ${String(whole).slice(0, 100)}`);
}

/** The events in the body of a watch that comes in pieces, and how it ended. */
async function eventsOf(format: ContentFormat, body: Buffer, step: number): Promise<string> {
  const pieces = (async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += step) yield body.subarray(at, at + step);
  })();
  const found: unknown[] = [];
  try {
    for await (const event of watchEvents({ body: pieces, format }, configMaps, { managedFields: false }))
      found.push(event);
  } catch (error) {
    if (!refuses(error)) throw error;
    found.push((error as Error).message);
  }
  return JSON.stringify(found);
}

const ownRefusal = refusesAs('KubeApiError');
/** The decoders of protobuf and CBOR say in a RangeError what is malformed. */
const refuses = (error: unknown): boolean =>
  ownRefusal(error) ||
  (error instanceof Error &&
    error.name === 'KubeApiError' &&
    error.cause instanceof RangeError &&
    /^(malformed|provided data|no message|no kind)/.test(error.cause.message));

const { run, seed } = eachOf({
  ...readers(jsonFormat),
  ...readers(protobufFormat),
  ...readers(cborFormat),
  'JSON split': (body) => splitAsWhole(jsonFormat, splitJsonList, body),
  'CBOR split': (body) => splitAsWhole(cborFormat, splitCborList, body),
  // Bytes alone seldom make a message of the right lengths.
  'protobuf shape': (input) => decodeObject({ body: shaped(input, pods), format: protobufFormat }, pods),
});

function shaped(input: Buffer, { kind }: ResourceType): Buffer {
  const body = Buffer.from(encodeObject({ apiVersion: 'v1', kind }));
  const message = messageOf(input);
  const length = message.length < 128 ? [message.length] : [0x80 | (message.length & 127), message.length >> 7];
  // The field that holds the object, again.
  return message.length < 1 << 14 ? Buffer.concat([body, Buffer.from([0x12, ...length]), message]) : body;
}

const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'a',
    namespace: 'b',
    labels: { c: 'd' },
    resourceVersion: '5',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: {
    containers: [{ name: 'a', image: 'b', resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80 }] }],
    tolerations: [{ operator: 'Exists' }],
  },
} as KubeObject;
const list = { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items: [pod] };
const failure = {
  ...{
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    reason: 'Conflict',
    message: 'no',
    code: 409,
  },
  details: { name: 'a', kind: 'pods', retryAfterSeconds: 2, causes: [{ reason: 'x', message: 'y' }] },
};
const configMap: KubeObject = {
  ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
  metadata: { name: 'a', resourceVersion: '5', annotations: { 'k8s.io/initial-events-end': 'true' } },
} as KubeObject;
const events = ['ADDED', 'MODIFIED', 'BOOKMARK', 'DELETED'].map((type) => ({ type, object: configMap }));
const framed = (message: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0, 0, message.length >> 8, message.length & 255]), message]);
const encode: Readonly<Record<string, (object: TypedObject) => Uint8Array | string>> = {
  JSON: (object) => JSON.stringify(object),
  protobuf: encodeObject,
  CBOR: encodeCbor,
};
const encodeEvent: Readonly<Record<string, (event: (typeof events)[0]) => Uint8Array | string>> = {
  JSON: (event) => `${JSON.stringify(event)}\n`,
  protobuf: (event) => framed(encodeWatchEvent(event as never)),
  CBOR: encodeCbor,
};

export const target = fuzzTarget({
  name: 'api-answers',
  reads:
    'objects, lists, failures and watches of an API server in JSON, protobuf and CBOR, watches in pieces cut anywhere',
  seeds: () => [
    ...Object.entries(encode).flatMap(([name, of]) => [
      seed(`${name} object`, of(pod as TypedObject)),
      seed(`${name} list`, of(list)),
      seed(`${name} failure`, of(failure)),
    ]),
    ...Object.entries(encodeEvent).map(([name, of]) =>
      seed(`${name} watch`, Buffer.concat([Buffer.from([6]), ...events.map((event) => Buffer.from(of(event)))])),
    ),
    seed('JSON split', JSON.stringify(list)),
    seed('JSON split', '{"items":[{},1],"a":[]}'),
    seed('CBOR split', encodeCbor(list)),
    seed('protobuf shape', Buffer.from([6, 0, 4, 0, 1, 97, 0, 6, 1, 6, 1, 4, 0, 1, 97, 0, 0, 0])),
  ],
  run,
  refuses,
});
