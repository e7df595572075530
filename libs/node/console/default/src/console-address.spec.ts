import { describe, expect, it } from '@jest/globals';
import { consoleAddress, isLoopbackHost } from './console-address.js';

describe('the address of the console', () => {
  it.each([
    ['127.0.0.1:4000', '127.0.0.1', 4000],
    ['127.0.0.1', '127.0.0.1', 4194],
    ['127.8.8.8:1', '127.8.8.8', 1],
    ['localhost:4000', '127.0.0.1', 4000],
    ['localhost', '127.0.0.1', 4194],
    [':4000', '127.0.0.1', 4000],
    ['4000', '127.0.0.1', 4000],
    ['0', '127.0.0.1', 0],
    ['[::1]:4000', '::1', 4000],
    ['[::1]', '::1', 4194],
    ['::1', '::1', 4194],
  ])('%s', (given, host, port) => {
    expect(consoleAddress(given)).toEqual({ host, port });
  });

  it.each([
    ['0.0.0.0:4194', 'must be an address of loopback'],
    ['10.0.0.1', 'must be an address of loopback'],
    ['[::]:4194', 'must be an address of loopback'],
    ['::ffff:127.0.0.1', 'must be an address of loopback'],
    ['node-1:4194', 'must be an IP address of loopback'],
    ['127.1', 'must be an IP address of loopback'],
    ['127.0.0.1:99999', 'must have a port up to 65535'],
    ['127.0.0.1:http', 'must be a host and a port'],
    ['http://127.0.0.1', 'must be a host and a port'],
    ['', 'must be a host and a port'],
  ])('refuses %s', (given, problem) => {
    expect(consoleAddress(given)).toContain(problem);
  });

  it.each(['localhost', 'localhost:4194', 'LOCALHOST:1', '127.0.0.1:4194', '127.9.9.9', '[::1]:4194'])(
    'knows the host %s as loopback',
    (header) => expect(isLoopbackHost(header)).toBe(true),
  );

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:4194',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
    '[::2]',
    '127.0.0.1:x',
  ])('takes the host %s for another one', (header) => expect(isLoopbackHost(header)).toBe(false));
});
