import { expect, it } from '@jest/globals';
import { createSecureContext } from 'node:tls';
import { goCipherSuites, goRemoteAlert } from './go-tls.js';

it.each([
  ['write EPROTO 80:error:0A00042E:SSL routines:a.c:1601:SSL alert number 70\n', 'protocol version not supported'],
  ['80:error:0A00045C:SSL routines:a.c:1601:SSL alert number 116\n', 'certificate required'],
  ['SSL alert number 200', 'alert(200)'],
])('says %j in the words of Go', (text, words) => {
  expect(goRemoteAlert(new Error(text))).toBe(`remote error: tls: ${words}`);
});

it('leaves other errors alone', () => {
  expect(goRemoteAlert(new Error('read ECONNRESET'))).toBeUndefined();
});

it('names cipher suites that OpenSSL knows', () => {
  expect(() => createSecureContext({ ciphers: goCipherSuites })).not.toThrow();
});
