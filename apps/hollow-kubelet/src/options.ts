import path from 'node:path';
import { parseArgs } from 'node:util';
import { KubeletError, messageOf } from '@podwright/errors';
import { checkNamePrefix, checkNodeAddress } from '@podwright/hollow-nodes';

/** What a command line says. */
export interface HollowOptions {
  readonly kubeconfig: string;
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Empty: the default behaviour. */
  readonly behaviour: string;
  readonly seed: string;
  readonly namePrefix: string;
  readonly impersonate: boolean;
  readonly startsAtOnce: number;
  readonly dataDir: string | undefined;
  /** Empty: the nodes have no servers. */
  readonly address: string;
  readonly firstPort: number;
  /** Empty: the authority of the kubeconfig. */
  readonly clientCaFile: string;
  /** Undefined: no status server. */
  readonly status: { readonly host: string; readonly port: number } | undefined;
}

const flags = {
  kubeconfig: { type: 'string', default: '' },
  nodes: { type: 'string', default: '10' },
  'pods-per-node': { type: 'string', default: '110' },
  behaviour: { type: 'string', default: '' },
  seed: { type: 'string', default: '1' },
  'name-prefix': { type: 'string', default: 'hollow' },
  impersonate: { type: 'boolean', default: false },
  'starts-at-once': { type: 'string', default: '16' },
  'data-dir': { type: 'string' },
  address: { type: 'string', default: '' },
  'first-port': { type: 'string', default: '20000' },
  'client-ca-file': { type: 'string', default: '' },
  'status-address': { type: 'string', default: '127.0.0.1:10260' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** Parses a command line. Throws `invalid-argument` naming the flag and its value. */
export function parseOptions(args: readonly string[]): HollowOptions | 'help' | 'version' {
  const values = parse(args);
  if (values.help) return 'help';
  if (values.version) return 'version';
  if (values.kubeconfig === '') throw fault('--kubeconfig is required: name the kubeconfig of the cluster to join');
  const { address, 'name-prefix': namePrefix } = values;
  checkNamePrefix('--name-prefix', namePrefix);
  if (address !== '') checkNodeAddress('--address', address);
  const nodes = whole('--nodes', values.nodes, 1, 10_000);
  return {
    kubeconfig: path.resolve(values.kubeconfig),
    nodes,
    podsPerNode: whole('--pods-per-node', values['pods-per-node'], 1, 1_000),
    behaviour: values.behaviour,
    seed: values.seed,
    namePrefix,
    impersonate: values.impersonate,
    startsAtOnce: whole('--starts-at-once', values['starts-at-once'], 1, 10_000),
    dataDir: values['data-dir'],
    address,
    firstPort: whole(
      '--first-port',
      values['first-port'],
      1,
      65_536 - nodes,
      `, so that each of ${nodes} nodes has one`,
    ),
    clientCaFile: values['client-ca-file'],
    status: hostAndPort('--status-address', values['status-address']),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true }).values;
  } catch (error) {
    throw fault(`${messageOf(error)} (hollow-kubelet --help lists the flags)`);
  }
}

function whole(flag: string, text: string, min: number, max: number, why = ''): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw fault(`${flag} must be a whole number from ${min} to ${max}${why}, got ${JSON.stringify(text)}`);
  return value;
}

function hostAndPort(flag: string, text: string): HollowOptions['status'] {
  if (text === '') return undefined;
  const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535) throw fault(`${flag} must be host:port, got ${JSON.stringify(text)}`);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

const fault = (message: string): KubeletError => new KubeletError(message, { code: 'invalid-argument' });
