import { describe, expect, it } from '@jest/globals';
import { findItemEnd } from './find-item-end.js';
import { decodeCbor, encodeCbor } from './kube-cbor.js';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'ä', labels: { a: '' }, generation: 70_000 },
  spec: { hostNetwork: false, activeDeadlineSeconds: -1, weight: 0.5, containers: [{ name: 'c', args: [] }], os: null },
};
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('an object', () => {
  it('is read as it was written', () => {
    expect(decodeCbor(encodeCbor(pod))).toEqual(pod);
    expect(Buffer.from(encodeCbor({ a: 'b', c: undefined })).toString('hex')).toBe('d9d9f7a1' + '4161' + '4162');
  });

  it.each([
    ['texts as byte strings and as texts', 'a2 4161 4162 6163 6164', { a: 'b', c: 'd' }],
    ['bytes, as JSON has them', 'a1 4161 d6 43010203', { a: 'AQID' }],
    ['a time', 'a1 4161 c0 54 323033302d30312d30325430333a30343a30355a', { a: '2030-01-02T03:04:05Z' }],
    ['a list without a length', 'a1 4161 9f 01 02 ff', { a: [1, 2] }],
    ['any key', 'a1 49 5f5f70726f746f5f5f 01', JSON.parse('{"__proto__":1}')],
  ])('may have %s', (_what, bytes, object) => expect(decodeCbor(hex(bytes))).toEqual(object));

  it.each(['', 'a1', 'a1 4161', 'ff', 'a2 4161 01 4161 02', 'fb7ff8000000000000', 'f7', '01 02'])(
    'is not %p',
    (bytes) => expect(() => decodeCbor(hex(bytes))).toThrow(),
  );
});

describe('a sequence', () => {
  const items = [pod, 7, { a: [] }, [], 'x'.repeat(300), { n: -70_000, f: 0.1, t: true }].map(encodeCbor);
  const indefinite = hex('bf 4161 9f 01 9f ff ff 4162 5f 4101 4102 ff ff');
  const sequence = Buffer.concat([...items, indefinite, hex('05')]);
  const lengths = [...items.map(({ length }) => length), indefinite.length, 1];

  it.each([1, 2, 7, 64, sequence.length])('is split, in pieces of %i bytes', (size) => {
    const findEnd = findItemEnd();
    const found: number[] = [];
    let length = 0;
    for (let at = 0; at < sequence.length; at += size) {
      let rest = sequence.subarray(at, at + size);
      for (let end = findEnd(rest); end !== undefined; end = findEnd(rest)) {
        found.push(length + end);
        length = 0;
        rest = rest.subarray(end);
      }
      length += rest.length;
    }
    expect(found).toEqual(lengths);
  });

  it.each(['ff', '81 ff', '1c', 'fe'])('is not %p', (bytes) => {
    expect(() => findItemEnd()(hex(bytes))).toThrow('malformed CBOR');
  });
});
