import { describe, expect, it } from '@jest/globals';
import { decodeConfigMap, decodeSecret } from './data-object.js';
import { readDocument, readDocuments } from './document-reader.js';

const metadata = { name: 'a', namespace: 'default' };
const secretOf = (fields: object): ReturnType<typeof decodeSecret> =>
  decodeSecret(readDocument(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, ...fields })));

describe('decodeConfigMap', () => {
  it('decodes each document of a file', () => {
    const file = ['apiVersion: v1', 'kind: ConfigMap', 'metadata: {name: a}', 'data: {port: "80", yes: "on"}'].join(
      '\n',
    );
    expect(
      readDocuments(`---\n${file}\n---\n# nothing\n---\n${file}\nimmutable: false\n`).map(decodeConfigMap),
    ).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { port: '80', true: 'on' } },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        data: { port: '80', true: 'on' },
        immutable: false,
      },
    ]);
    expect(readDocuments('\n# nothing\n')).toEqual([]);
  });

  it.each([
    ['data: {port: 80}', 'data[port]: expected string, got 80 (number)'],
    ['binaryData: {a: "*"}', 'binaryData[a]: illegal base64 data at input byte 0'],
    ['stringData: {}', 'stringData: unknown field'],
    ['data: {a: b, a: c}', 'data.a: duplicate key (line 3)'],
  ])('refuses %s', (line, message) => {
    const text = `apiVersion: v1\nkind: ConfigMap\n${line}\n`;
    expect(() => decodeConfigMap(readDocument(text))).toThrow(message);
  });

  it('refuses other kinds', () => {
    expect(() => decodeConfigMap(readDocument('{"apiVersion":"v1","kind":"Pod"}'))).toThrow('kind: expected ConfigMap');
    expect(() => decodeConfigMap(readDocument('[]'))).toThrow('expected an object with apiVersion and kind');
  });
});

describe('decodeSecret', () => {
  it('makes stringData a part of data, and has a type', () => {
    expect(secretOf({ data: { a: 'eA==', b: 'eA==' }, stringData: { b: 'ä', c: '' } })).toEqual({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' },
      data: { a: 'eA==', b: 'w6Q=', c: '' },
    });
    expect(secretOf({ type: 'kubernetes.io/tls' })).toEqual({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls' },
    });
  });

  it.each([
    ['', ''],
    ['eHl6', 'eHl6'],
    ['eHl6\r\neA==\n', 'eHl6eA=='],
    ['eB==', 'eA=='],
    ['eH\nk\n=', 'eHk='],
  ])('takes the base64 %j', (text, data) => {
    expect(secretOf({ data: { a: text } }).data).toEqual({ a: data });
  });

  it.each([{ data: 'hunter2' }, { stringData: { a: { hunter2: 1 } } }, { stringData: { a: ['hunter2'] } }])(
    'shows nothing of a secret that it refuses: %j',
    (fields) => {
      expect(() => secretOf(fields)).toThrow(/^(data: expected object|stringData\[a\]: expected string)$/);
    },
  );

  // What Go's encoding/base64 says.
  it.each([
    ['e', 0],
    ['eHl6e', 4],
    ['eHl', 0],
    ['eHl6eH', 4],
    ['eH l', 2],
    ['=', 0],
    ['e=', 1],
    ['eH=', 3],
    ['eH=x', 2],
    ['eH=\nx', 3],
    ['eH==x', 4],
    ['eHk=\nx', 5],
    ['eHl6-_==', 4],
    ['äHl6', 0],
    ['eHl6ä', 4],
  ])('refuses the base64 %j at byte %d', (text, place) => {
    expect(() => secretOf({ data: { a: text } })).toThrow(`data[a]: illegal base64 data at input byte ${place}`);
  });
});
