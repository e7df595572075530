import { describe, expect, it } from '@jest/globals';
import { pods } from '@podwright/kube-client-interface';

import { jsonFormat } from '../content/json-format.js';
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
    const { items: none, ...envelope } = JSON.parse(split?.envelope ?? '');
    const { items: _items, ...wanted } = JSON.parse(text);
    expect([none, envelope]).toEqual([[], wanted]);
  });

  it.each(['', '{}', '[]', '{"items":[{"a":1}', '{"items":["a', '{"items":{}}', '{"a":{"items":[]}}'])(
    'leaves %s alone',
    async (text) => expect(await splitJsonList(body(text))).toBeUndefined(),
  );
});

describe('decodeList', () => {
  const big = 'x'.repeat(2_000);
  const items = Array.from({ length: 4_000 }, (_, index) => ({
    metadata: { name: `p${index}`, annotations: { big } },
  }));

  it('reads a long list in slices, the same as in one', async () => {
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '9', continue: 'c' }, items };
    let turns = 0;
    let reading = true;
    const count = (): void => {
      turns++;
      if (reading) setImmediate(count);
    };
    setImmediate(count);
    const page = await decodeList({ body: body(list), format: jsonFormat }, pods, (item) => item);
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
});
