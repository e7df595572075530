import { describe, expect, it } from '@jest/globals';
import { decodeProtobufBody } from './decode-protobuf-body.js';

const bytes = (...parts: readonly (number | string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))));
/** A length-delimited field. */
const field = (number: number, content: Uint8Array | string): Uint8Array =>
  bytes(number * 8 + 2, Buffer.byteLength(content), content);
const varint = (number: number, value: number): Uint8Array => bytes(number * 8, value);

function body(apiVersion: string, kind: string, ...fields: readonly Uint8Array[]): Uint8Array {
  const type = bytes(field(1, apiVersion), field(2, kind));
  return bytes('k8s', 0, field(1, type), field(2, bytes(...fields)));
}

const decoded = (encoded: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(decodeProtobufBody(encoded)));

describe('decodeProtobufBody', () => {
  it('gives the JSON of the object: texts, maps, bytes, times', () => {
    // An empty creationTimestamp, as Go always writes it, is none.
    const metadata = bytes(field(1, 's'), field(8, ''), field(11, bytes(field(1, 'k'), field(2, 'v'))));
    const data = bytes(field(1, 'a'), field(2, 'b'));
    expect(decoded(body('v1', 'Secret', field(1, metadata), field(2, data), field(3, '')))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', labels: { k: 'v' } },
      data: { a: 'Yg==' },
    });
  });

  it('merges what Go embeds, and keeps zeros', () => {
    const emptyDir = field(2, bytes(field(1, 'Memory')));
    const volume = bytes(field(1, 'v'), field(2, emptyDir));
    const spec = bytes(field(1, volume), varint(4, 0));
    expect(decoded(body('v1', 'Pod', field(2, spec)))).toMatchObject({
      spec: { volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }], terminationGracePeriodSeconds: 0 },
    });
  });

  it.each([
    ['text', bytes('{}'), 'expected prefix [107 56 115 0]'],
    ['a cut message', bytes('k8s', 0, 0x0a, 20, 'v1'), 'a field is longer than its message'],
    ['an unknown kind', body('v1', 'Frob'), 'no message core.v1.Frob'],
  ])('refuses %s', (_what, encoded, says) => {
    expect(() => decodeProtobufBody(encoded)).toThrow(says);
  });
});
