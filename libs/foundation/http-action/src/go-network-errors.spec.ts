import { describe, expect, it } from '@jest/globals';
import { connectionEnds, goDialError, goDialTimeout, goReadError, isPlainAnswer } from './go-network-errors.js';

const errorWith = (code: string): Error => Object.assign(new Error(`${code} in Node's words`), { code });

describe('errors of connections', () => {
  it.each([
    ['ECONNREFUSED', 'connection refused'],
    ['ECONNRESET', 'connection reset by peer'],
    ['EHOSTUNREACH', 'no route to host'],
    ['ENETUNREACH', 'network is unreachable'],
    ['ETIMEDOUT', 'connection timed out'],
    ['EPIPE', 'broken pipe'],
    ['EADDRNOTAVAIL', 'cannot assign requested address'],
  ])('%s is “%s”', (code, words) => {
    expect(goDialError(errorWith(code), '10.0.0.1', 80)).toBe(`dial tcp 10.0.0.1:80: connect: ${words}`);
    expect(goReadError(errorWith(code), 'a:1->b:2')).toBe(`read tcp a:1->b:2: read: ${words}`);
  });

  it('have Node’s words where there are no others', () => {
    expect(goDialError(errorWith('EODD'), 'fd00::1', 80)).toBe("dial tcp [fd00::1]:80: EODD in Node's words");
    expect(goReadError(errorWith('EODD'), 'a:1->b:2')).toBe("EODD in Node's words");
    expect(goReadError('odd', 'a:1->b:2')).toBe('odd');
  });

  it.each([
    ['ENOTFOUND', ['10.0.0.10', '10.0.0.11'], 'a.test on 10.0.0.10:53: no such host'],
    ['EAI_AGAIN', ['fd00::10'], 'a.test on [fd00::10]:53: server misbehaving'],
    ['ENOTFOUND', ['[fd00::10]:5353'], 'a.test on [fd00::10]:5353: no such host'],
    ['ENOTFOUND', [], 'a.test: no such host'],
  ])('%s of the servers %j', (code, servers, words) => {
    expect(goDialError(errorWith(code), 'a.test', 80, () => servers)).toBe(`dial tcp: lookup ${words}`);
  });

  it('name the server of this machine, a time that is over, both ends', () => {
    expect(goDialError(errorWith('ENOTFOUND'), 'a.test', 80)).toMatch(
      /^dial tcp: lookup a\.test on \S+: no such host$/,
    );
    expect(goDialTimeout('fd00::1', 80)).toBe('dial tcp [fd00::1]:80: i/o timeout');
    const socket = { localAddress: '::1', localPort: 1, remoteAddress: '10.0.0.1', remotePort: 2 };
    expect(connectionEnds(socket)).toBe('[::1]:1->10.0.0.1:2');
  });
});

describe('isPlainAnswer', () => {
  it.each<[unknown, boolean]>([
    [errorWith('ERR_SSL_WRONG_VERSION_NUMBER'), true],
    [new Error('C0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number'), true],
    [new Error('error:0A0000C6:SSL routines:tls_get_more_records:packet length too long'), true],
    [errorWith('ECONNRESET'), false],
  ])('%s: %s', (error, expected) => {
    expect(isPlainAnswer(error)).toBe(expected);
  });
});
