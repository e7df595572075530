import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.js';
import { usage } from './usage.js';

const parse = (...args: readonly string[]) => parseOptions(['--kubeconfig', '/k', ...args]);

describe('the command line of hollow-kubelet', () => {
  it('has the defaults that its help text names', () => {
    expect(parse()).toEqual({
      ...{ kubeconfig: '/k', nodes: 10, podsPerNode: 110, behaviour: '', seed: '1', namePrefix: 'hollow' },
      ...{ impersonate: false, startsAtOnce: 16, dataDir: undefined, address: '', firstPort: 20_000, clientCaFile: '' },
      status: { host: '127.0.0.1', port: 10_260 },
    });
    for (const text of [
      'default 10,',
      'default 110',
      'default hollow',
      'default 16',
      'default 20000',
      '127.0.0.1:10260',
    ])
      expect(usage).toContain(text);
  });

  it('takes every flag', () => {
    expect(
      parse('--nodes=1000', '--pods-per-node=30', '--seed', 'x', '--impersonate', '--status-address='),
    ).toMatchObject({
      ...{ nodes: 1_000, podsPerNode: 30, seed: 'x', impersonate: true, status: undefined },
    });
    expect(parse('--status-address=[::1]:0')).toMatchObject({ status: { host: '::1', port: 0 } });
    expect(parseOptions(['--help'])).toBe('help');
    expect(parseOptions(['--version'])).toBe('version');
  });

  it.each([
    [['--nodes', 'many'], '--nodes must be a whole number from 1 to 10000, got "many"'],
    [['--pods-per-node=0'], '--pods-per-node must be a whole number from 1 to 1000, got "0"'],
    [['--address=here'], '--address must be an IP address that the API server reaches, got "here"'],
    [['--address=127.0.0.1'], '--address must be another address of this machine'],
    [
      ['--first-port=65530'],
      '--first-port must be a whole number from 1 to 65526, so that each of 10 nodes has one, got "65530"',
    ],
    [['--name-prefix=My_Nodes'], '--name-prefix must be at most 52 lower case letters'],
    [['--status-address=80'], '--status-address must be host:port, got "80"'],
    [['--nods=3'], "Unknown option '--nods'"],
  ])('refuses %j', (args, message) => expect(() => parse(...args)).toThrow(message));

  it('needs a cluster', () => expect(() => parseOptions([])).toThrow('--kubeconfig is required'));
});
