import { describe, expect, it } from '@jest/globals';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import type { FieldError } from './field-errors.js';
import { validateConfigMap, validateDataUpdate, validateSecret } from './data-object.js';

const metadata = { name: 'a', namespace: 'default' };
const messages = (errors: readonly FieldError[]): readonly string[] => errors.map(({ message }) => message);
const ofConfigMap = (fields: ConfigMap): readonly string[] => messages(validateConfigMap({ metadata, ...fields }));
const ofSecret = (fields: Secret): readonly string[] => messages(validateSecret({ metadata, ...fields }));
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const keyRule = expect.stringContaining("a valid config key must consist of alphanumeric characters, '-', '_' or '.'");

describe('validateConfigMap', () => {
  it('finds faults as the API server does', () => {
    expect(ofConfigMap({ data: { 'a.b-c_D': '' }, binaryData: { b: 'eA==' } })).toEqual([]);
    expect(ofConfigMap({ metadata: {} })).toEqual([
      'metadata.name: Required value: name or generateName is required',
      'metadata.namespace: Required value',
    ]);
    expect(ofConfigMap({ data: { 'a/b': '' } })).toEqual([keyRule]);
    expect(ofConfigMap({ binaryData: { '..': '' } })).toEqual([
      'binaryData[..]: Invalid value: "..": must not be \'..\'',
    ]);
    expect(ofConfigMap({ data: { a: '' }, binaryData: { a: '' } })).toEqual([
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ]);
  });

  it('counts the bytes of all values', () => {
    const half = 'ä'.repeat(256 * 1024);
    const otherHalf = base64('x'.repeat(512 * 1024));
    expect(ofConfigMap({ data: { a: half }, binaryData: { b: otherHalf } })).toEqual([]);
    expect(ofConfigMap({ data: { a: half, c: 'x' }, binaryData: { b: otherHalf } })).toEqual([
      ': Too long: may not be more than 1048576 bytes',
    ]);
  });
});

describe('validateSecret', () => {
  it.each<[string, Secret['data'], readonly string[]]>([
    ['Opaque', { a: '' }, []],
    ['example.com/own', {}, []],
    ['kubernetes.io/dockercfg', {}, ['data[.dockercfg]: Required value']],
    ['kubernetes.io/dockercfg', { '.dockercfg': base64('{}') }, []],
    ['kubernetes.io/dockerconfigjson', {}, ['data[.dockerconfigjson]: Required value']],
    [
      'kubernetes.io/dockerconfigjson',
      { '.dockerconfigjson': base64('hunter2') },
      ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": must be a JSON object'],
    ],
    ['kubernetes.io/basic-auth', { password: '' }, []],
    ['kubernetes.io/basic-auth', {}, ['data[username]: Required value', 'data[password]: Required value']],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['data[ssh-privatekey]: Required value']],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': 'eA==' }, []],
    ['kubernetes.io/tls', { 'tls.crt': '' }, ['data[tls.key]: Required value']],
    [
      'kubernetes.io/service-account-token',
      {},
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
  ])('checks the data of type %s: %j', (type, data, expected) => {
    expect(ofSecret({ type, ...(data !== undefined && { data }) })).toEqual(expected);
  });

  it('checks keys and size', () => {
    expect(ofSecret({ data: { 'a b': '' } })).toEqual([keyRule]);
    expect(ofSecret({ data: { a: base64('x'.repeat(1024 * 1024)) } })).toEqual([]);
    expect(ofSecret({ data: { a: base64('x'.repeat(1024 * 1024)), b: 'eA==' } })).toEqual([
      'data: Too long: may not be more than 1048576 bytes',
    ]);
  });
});

describe('validateDataUpdate', () => {
  const stored: ConfigMap = { metadata, immutable: true, data: { divisor: '1' }, binaryData: { b: 'eA==' } };
  const immutable = 'field is immutable when `immutable` is set';

  it('lets nobody change what is immutable', () => {
    expect(validateDataUpdate(stored, stored)).toEqual([]);
    expect(validateDataUpdate({ ...stored, data: {} }, { ...stored, immutable: false })).toEqual([]);
    expect(messages(validateDataUpdate({ metadata, data: { divisor: '1000m' } }, stored))).toEqual([
      `immutable: Forbidden: ${immutable}`,
      `data: Forbidden: ${immutable}`,
      `binaryData: Forbidden: ${immutable}`,
    ]);
  });

  it('keeps the type of a secret', () => {
    expect(messages(validateDataUpdate<Secret>({ type: 'b' }, { type: 'a' }))).toEqual([
      'type: Invalid value: "b": field is immutable',
    ]);
  });
});
