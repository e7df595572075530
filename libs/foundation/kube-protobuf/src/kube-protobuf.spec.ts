import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeMessage } from './decode-message.js';
import { encodeMessage } from './encode-message.js';

const fixture = (name: string): string => readFileSync(path.join(__dirname, 'fixtures', name), 'utf8');
/** What Go's client wrote for the pod, with all its zero values. */
const bytesOfGo = Buffer.from(fixture('pod.hex').trim(), 'hex');
const pod = JSON.parse(fixture('pod.json')) as Readonly<Record<string, unknown>>;

describe('a pod', () => {
  it('is read from what Go writes', () => {
    expect(decodeMessage('core.v1.Pod', bytesOfGo)).toMatchObject(pod);
  });

  it('is written so that it reads the same', () => {
    const bytes = encodeMessage('core.v1.Pod', pod);
    expect(decodeMessage('core.v1.Pod', bytes)).toEqual(pod);
    // Go's has zero values in addition.
    expect(bytes.length).toBeLessThan(bytesOfGo.length);
    expect(decodeMessage('core.v1.Pod', bytesOfGo)).toMatchObject(
      decodeMessage('core.v1.Pod', bytes) as Record<string, unknown>,
    );
  });

  it('loses what the API does not know, and nothing else', () => {
    const bytes = encodeMessage('core.v1.Pod', { metadata: { name: 'a', frob: 1 }, spec: null, frob: {} });
    expect(decodeMessage('core.v1.Pod', bytes)).toEqual({ metadata: { name: 'a' } });
  });

  it('has keys of any name in its maps', () => {
    const labels = JSON.parse('{"__proto__":"x","":"y"}') as Record<string, string>;
    const bytes = encodeMessage('core.v1.Pod', { metadata: { labels } });
    expect(JSON.stringify(decodeMessage('core.v1.Pod', bytes))).toBe(
      '{"metadata":{"labels":{"":"y","__proto__":"x"}}}',
    );
  });
});

describe('fields with a JSON of their own', () => {
  it.each([
    ['meta.v1.MicroTime', '2030-01-02T03:04:05.000123Z'],
    ['meta.v1.Time', '2030-01-02T03:04:05Z'],
    ['meta.v1.Time', '1969-12-31T23:59:59Z'],
    ['util.intstr.IntOrString', '25%'],
    ['util.intstr.IntOrString', -3],
    ['api.resource.Quantity', '1500m'],
    ['authentication.v1.ExtraValue', ['a', 'b']],
  ])('%s: %p', (message, value) => {
    expect(decodeMessage(message, encodeMessage(message, value as never))).toEqual(value);
  });

  it('refuse what is none of them', () => {
    expect(() => encodeMessage('meta.v1.Time', 'soon' as never)).toThrow('no time: soon');
    expect(() => encodeMessage('core.v1.Frob', {})).toThrow('no message core.v1.Frob');
    expect(() => encodeMessage('core.v1.Pod', { spec: 'x' })).toThrow('core.v1.PodSpec is no object: x');
  });
});

describe('hostile bytes', () => {
  it('end in an error at every cut, never in a wrong shape', () => {
    for (let length = 0; length < bytesOfGo.length; length++) {
      try {
        expect(typeof decodeMessage('core.v1.Pod', bytesOfGo.subarray(0, length))).toBe('object');
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});
