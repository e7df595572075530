import { describe, expect, it } from '@jest/globals';
import { pods } from '@podwright/kube-client-interface';
import { encodeCbor } from '@podwright/kube-cbor';
import { cborFormat } from '../content/cbor-format.js';
import { jsonFormat } from '../content/json-format.js';
import { splitCborList } from '../content/split-cbor-list.js';
import { splitJsonList } from '../content/split-json-list.js';
import { decodeList } from './decode-list.js';

const body = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('splitJsonList', () => {
  it.each<[string, unknown[]]>([
    ['{"items":[]}', []],
    ['{"kind":"PodList","items":[ ],"metadata":{}}', []],
    ['{"items":[{"a":1},{"b":[{"items":[1,2]}]}],"metadata":{"items":[7]}}', [{ a: 1 }, { b: [{ items: [1, 2] }] }]],
    [
      '{"metadata":{"items":[7]},"kind":"items","items" : [ {"a":"],}"} , {"b":"\\"[\\\\"} ]}',
      [{ a: '],}' }, { b: '"[\\' }],
    ],
    ['{"items":[null,1,"x"]}', [null, 1, 'x']],
    ['{"\\u0069tems":[1],"items":[{"ü":"€"}]}', [{ ü: '€' }]],
  ])('finds the items of %s', async (text, items) => {
    const split = await splitJsonList(body(text));
    expect(split?.items.map(([begin, end]) => JSON.parse(body(text).toString('utf8', begin, end)))).toEqual(items);
    const { items: none, ...envelope } = JSON.parse(String(split?.envelope));
    const { items: _items, ...wanted } = JSON.parse(text);
    expect([none, envelope]).toEqual([[], wanted]);
  });

  it.each(['{"items":[1,]}', '{"items":[,1]}', '{"items":[,]}', '{"items":[1,,2]}'])(
    'leaves it to the parsing of the items to refuse %s',
    async (text) => {
      const split = await splitJsonList(body(text));
      const parsed = (): unknown =>
        split?.items.map(([begin, end]) => JSON.parse(body(text).toString('utf8', begin, end)));
      expect(parsed).toThrow(SyntaxError);
    },
  );

  it.each(['', '{}', '[]', '{"items":[1}}', '{"items":[{"a":1}', '{"items":["a', '{"items":{}}', '{"a":{"items":[]}}'])(
    'leaves %s alone',
    async (text) => expect(await splitJsonList(body(text))).toBeUndefined(),
  );
});

describe('splitCborList', () => {
  const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
  const key = '45 6974656d73'; // items

  it.each<[string, Buffer, unknown[]]>([
    ['no items', Buffer.from(encodeCbor({ kind: 'PodList', items: [], metadata: {} })), []],
    [
      'items that have items, before and after other fields',
      Buffer.from(encodeCbor({ metadata: { items: [7] }, items: [{ items: [1, 2] }, { b: 'x' }], kind: 'items' })),
      [{ items: [1, 2] }, { b: 'x' }],
    ],
    ['more items than fit in a head', Buffer.from(encodeCbor({ items: Array(300).fill(1) })), Array(300).fill(1)],
    ['a text as key, and no tag', hex('a2 65 6974656d73 81 01 41 61 02'), [1]],
    ['a map and a list without lengths', hex(`bf ${key} 9f 01 81 02 ff 41 61 03 ff`), [1, [2]]],
  ])('finds %s', async (_name, bytes, items) => {
    const split = await splitCborList(bytes);
    expect(split?.items.map(([begin, end]) => decode(bytes.subarray(begin, end)))).toEqual(items);
    const { items: none, ...envelope } = decode(split?.envelope ?? hex('a0'));
    const { items: _items, ...wanted } = decode(bytes);
    expect([none, envelope]).toEqual([[], wanted]);
  });

  it.each(['', '80', 'a0', `a1 ${key} a0`, `a1 41 61 a1 ${key} 80`])('leaves %p alone', async (bytes) =>
    expect(await splitCborList(hex(bytes))).toBeUndefined(),
  );

  it.each([`a1 ${key} 82 01`, `a2 ${key} 80`, `bf ${key} 9f 01`, `a1 ${key} 81 1c`])('refuses %p', async (bytes) => {
    await expect(splitCborList(hex(bytes))).rejects.toThrow('malformed CBOR');
  });

  it('leaves it to the decoding of the rest to refuse two lists', async () => {
    const split = await splitCborList(hex(`a2 ${key} 81 01 ${key} 81 02`));
    expect(() => decode(split?.envelope ?? hex('a0'))).toThrow('a key that occurs twice');
  });
});

const decode = (bytes: Buffer): Record<string, unknown> => cborFormat.decode(bytes) as Record<string, unknown>;

describe('decodeList', () => {
  const big = 'x'.repeat(2_000);
  const items = Array.from({ length: 4_000 }, (_, index) => ({
    metadata: { name: `p${index}`, annotations: { big } },
  }));

  it.each([jsonFormat, cborFormat])('reads a long list of $name in slices, the same as in one', async (format) => {
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '9', continue: 'c' }, items };
    let turns = 0;
    let reading = true;
    const count = (): void => {
      turns++;
      if (reading) setImmediate(count);
    };
    setImmediate(count);
    const page = await decodeList({ body: Buffer.from(format.encode(list)), format }, pods, (item) => item);
    reading = false;
    expect([page.resourceVersion, page.continueToken, page.items.length]).toEqual(['9', 'c', 4_000]);
    expect(page.items[3_999]).toEqual({ apiVersion: 'v1', kind: 'Pod', ...items[3_999] });
    expect(turns).toBeGreaterThan(10);
  });

  it.each([
    ['cut short', JSON.stringify({ kind: 'PodList', items }).slice(0, -10)],
    ['a broken item', JSON.stringify({ kind: 'PodList', items }).replace('"p7"', 'p7')],
    ['a nameless item', JSON.stringify({ kind: 'PodList', items: [...items, {}] })],
    ['of another kind', JSON.stringify({ kind: 'SecretList', items })],
  ])('refuses a long list that is %s', async (_name, text) => {
    await expect(decodeList({ body: body(text), format: jsonFormat }, pods, (item) => item)).rejects.toMatchObject({
      code: 'data-loss',
    });
  });

  it('refuses a long list of CBOR that is cut short', async () => {
    const cut = Buffer.from(encodeCbor({ kind: 'PodList', items })).subarray(0, -10);
    await expect(decodeList({ body: cut, format: cborFormat }, pods, (item) => item)).rejects.toMatchObject({
      code: 'data-loss',
      message: "the server's answer is not CBOR: malformed CBOR: it is cut short",
    });
  });
});
