import { describe, expect, it } from '@jest/globals';
import { fromPlainJson, toPlainJson } from './plain-json.js';

describe('toPlainJson', () => {
  it('marks bigints and bytes wherever they are, leaves out what kubectl has applied, and changes nothing in place', () => {
    const name = 'kubectl.kubernetes.io/last-applied-configuration';
    const applied = { [name]: '{"spec":{}}', team: 'a' };
    const value = {
      id: 'c1',
      createdAt: 5n,
      none: undefined,
      at: new Date(0),
      parts: [Buffer.from('ab'), new Uint8Array([1]), { size: 7n }, undefined, 'text'],
      metadata: { annotations: applied },
    };
    const json = toPlainJson(value);
    expect(json).toBe(
      '{"id":"c1","createdAt":{"$n":"5"},"at":"1970-01-01T00:00:00.000Z",' +
        '"parts":[{"$b":"YWI="},{"$b":"AQ=="},{"size":{"$n":"7"}},null,"text"],' +
        `"metadata":{"annotations":{"${name}":"xxxxxxxxxxx","team":"a"}}}`,
    );
    expect(value.createdAt).toBe(5n);
    expect(applied[name]).toBe('{"spec":{}}');
    expect(fromPlainJson(JSON.parse(json))).toMatchObject({
      createdAt: 5n,
      parts: [{}, {}, { size: 7n }, null, 'text'],
    });
    expect(toPlainJson(undefined)).toBe('null');
  });

  it('keeps a member of any name', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"toJSON":"text"}');
    expect(toPlainJson(value)).toBe('{"__proto__":{"a":1},"toJSON":"text"}');
    const { labels } = { labels: JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown> };
    Object.defineProperty(labels, '__proto__', { value: 1n });
    expect(toPlainJson(labels)).toBe('{"__proto__":{"$n":"1"}}');
  });
});
