import { describe, expect, it } from '@jest/globals';
import { HeldStreams } from './held-streams.js';

const pods = '/api/v1/pods?fieldSelector=spec.nodeName%3Dn';
const watching = `${pods}&sendInitialEvents=true&watch=true`;
const aPod = '/api/v1/namespaces/default/pods/a';

function watchOfOnePod() {
  const held = new HeldStreams(2 ** 20);
  let streams = 0;
  const open = (method: string, key: string): number => {
    const stream = ++streams;
    held.opened({ seam: 'api', method, key, at: stream, stream, tookMs: 0, answer: { status: 200 } });
    return stream;
  };
  const watch = open('GET', watching);
  const event = (type: string): void =>
    held.item(watch, JSON.stringify({ type, object: { metadata: { namespace: 'default', name: 'a' } } }));
  const ask = (method: string, key: string): void => {
    const stream = open(method, key);
    held.item(stream, '{"kind":"Pod"}');
    held.closed(stream, stream, false);
  };
  const keys = (): readonly string[] =>
    held.lines(100).flatMap((line) => {
      const { t, method, key } = JSON.parse(line) as Record<'t' | 'method' | 'key', string>;
      return t === 'open' ? [`${method} ${key}`] : [];
    });
  event('ADDED');
  ask('PATCH', `${aPod}/status`);
  return { held, event, ask, keys };
}

describe('the answers of the API server that a snapshot has', () => {
  it('are those about a deleted object until the watch tells of its end', () => {
    const { event, ask, keys } = watchOfOnePod();
    ask('DELETE', aPod);
    expect(keys()).toEqual([`PATCH ${aPod}/status`, `DELETE ${aPod}`, `GET ${watching}`]);
    event('DELETED');
    expect(keys()).toEqual([`GET ${watching}`]);
  });

  it('are not those about a deleted object whose end the watch told of first', () => {
    const { held, event, ask, keys } = watchOfOnePod();
    const before = held.bytes;
    event('DELETED');
    ask('PATCH', `${aPod}/status`);
    ask('DELETE', aPod);
    expect(keys()).toEqual([`GET ${watching}`]);
    expect(held.bytes).toBeLessThan(before);
  });
});
