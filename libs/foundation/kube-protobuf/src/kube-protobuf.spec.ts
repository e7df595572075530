import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeMessage } from './decode-message.js';
import { encodeMessage } from './encode-message.js';
import { hasMessage } from './object-messages.js';
import { decodeObject, encodeObject, openList } from './typed-object.js';
import { decodeWatchEvent, encodeWatchEvent } from './watch-event.js';

const fixture = (name: string): string => readFileSync(path.join(__dirname, 'fixtures', name), 'utf8');
/** What Go's client wrote for the pod, with all its zero values. */
const bytesOfGo = Buffer.from(fixture('pod.hex').trim(), 'hex');
const pod = JSON.parse(fixture('pod.json')) as Readonly<Record<string, unknown>>;

describe('a pod', () => {
  it('is read from what Go writes', () => {
    expect(decodeMessage('core.v1.Pod', bytesOfGo)).toEqual(pod);
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
    expect(() => decodeMessage('meta.v1.Time', Buffer.from('08ffffffffffff01', 'hex'))).toThrow(
      'malformed message: a time of 8796093022207 s and 0 ns',
    );
    expect(() => decodeMessage('meta.v1.MicroTime', Buffer.from('10ffffffffffffffffff01', 'hex'))).toThrow('and -1 ns');
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

describe('zero values', () => {
  it('stay where JSON has them: behind pointers, and without omitempty', () => {
    const spec = { hostNetwork: false, terminationGracePeriodSeconds: 0, hostUsers: false, nodeName: '', priority: 0 };
    expect(decodeMessage('core.v1.PodSpec', encodeMessage('core.v1.PodSpec', spec))).toEqual({
      terminationGracePeriodSeconds: 0,
      hostUsers: false,
      priority: 0,
    });
    const claim = { storageClassName: '', volumeName: '', resources: {} };
    const message = 'core.v1.PersistentVolumeClaimSpec';
    expect(decodeMessage(message, encodeMessage(message, claim))).toEqual({ storageClassName: '', resources: {} });
    const status = { name: 'c', ready: false, restartCount: 0, image: '', imageID: '', lastState: {}, containerID: '' };
    const { containerID: _none, ...kept } = status;
    expect(decodeMessage('core.v1.ContainerStatus', encodeMessage('core.v1.ContainerStatus', status))).toEqual(kept);
  });
});

describe('objects with their type', () => {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
  const status = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code: 404 };

  it.each([
    configMap,
    status,
    { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid: 'u' } },
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'n' }, spec: { holderIdentity: 'n' } },
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: ['a'], boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'u' } },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMapList',
      metadata: { resourceVersion: '7' },
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
    },
  ])('$apiVersion $kind', (object) => expect(decodeObject(encodeObject(object))).toEqual(object));

  it('come one by one out of a list', () => {
    const items = ['a', 'b', 'c'].map((name) => ({ metadata: { name } }));
    const bytes = encodeObject({ apiVersion: 'v1', kind: 'PodList', metadata: { continue: 'x' }, items });
    const list = openList(bytes);
    expect(list.envelope).toEqual({ apiVersion: 'v1', kind: 'PodList', metadata: { continue: 'x' } });
    const read = [...list.items];
    expect(read.map(([item]) => item)).toEqual(items);
    expect(read.map(([, bytesRead]) => bytesRead)).toEqual([...read.map(([, at]) => at)].sort((a, b) => a - b));
    expect([...openList(encodeObject(status)).items]).toEqual([]);
  });

  it('come in events of a watch', () => {
    const event = { type: 'ADDED', object: configMap };
    expect(decodeWatchEvent(encodeWatchEvent(event))).toEqual(event);
    expect(() => decodeWatchEvent(encodeMessage('meta.v1.WatchEvent', { type: 'ADDED' }))).toThrow(
      'an event without an object',
    );
  });

  it('come without managed fields when nobody needs them', () => {
    const managedFields = [{ manager: 'me', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { 'f:a': {} } } }];
    const { metadata } = configMap;
    const event = { type: 'ADDED', object: { ...configMap, metadata: { ...metadata, managedFields } } };
    const bytes = encodeWatchEvent(event);
    expect(decodeWatchEvent(bytes)).toEqual(event);
    expect(decodeWatchEvent(bytes, { managedFields: false })).toEqual({ type: 'ADDED', object: configMap });
  });

  it('are refused when they are none', () => {
    expect(() => decodeObject(Buffer.from('{}'))).toThrow('expected prefix [107 56 115 0]');
    expect(() => decodeObject(Buffer.from('k8s\0\n\x14v1', 'latin1'))).toThrow('a field is longer than its message');
    expect(() => encodeObject({ apiVersion: 'example.com/v1', kind: 'Frob' })).toThrow(
      'no message for example.com/v1 Frob',
    );
    expect([hasMessage('v1', 'PodList'), hasMessage('v1', 'Frob')]).toEqual([true, false]);
  });
});
