import { createToken } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface InterfaceAddress {
  readonly interfaceName: string;
  readonly address: string;
  readonly internal: boolean;
}

export interface DefaultRoute {
  readonly interfaceName: string;
  readonly family: 4 | 6;
}

/** What the machine and its resolver say about addresses. */
export interface HostNetwork {
  /** In the kernel's order. */
  addresses(): readonly InterfaceAddress[];
  /** In the kernel's order; undefined on a machine that has no table of them. Rejects when the table is garbage. */
  defaultRoutes(): Promise<readonly DefaultRoute[] | undefined>;
  /** Addresses of a name, in the resolver's order. Rejects when there are none. */
  lookup(name: string): Promise<readonly string[]>;
}

/** Optional: this machine's network when nobody provides another. */
export const HOST_NETWORK = createToken<HostNetwork>('kubelet.host-network/v1');

/** The network of this machine; routes are read in `/proc` below `hostRoot`. */
export function readHostNetwork(hostRoot = '/'): HostNetwork {
  return {
    addresses: () =>
      Object.entries(os.networkInterfaces()).flatMap(([interfaceName, addresses = []]) =>
        addresses.map(({ address, internal }) => ({ interfaceName, address: address.replace(/%.*$/, ''), internal })),
      ),
    defaultRoutes: async () => {
      const read = (file: string): Promise<string> => readFile(path.join(hostRoot, 'proc/net', file), 'utf8');
      const table = await read('route').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new Error(`cannot read the routes: ${messageOf(error)}`);
      });
      if (table === undefined) return undefined;
      return [...ipv4DefaultRoutes(table), ...ipv6DefaultRoutes(await read('ipv6_route').catch(() => ''))];
    },
    lookup: async (name) => (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address),
  };
}

/** Reads `/proc/net/route`. */
export function ipv4DefaultRoutes(table: string): readonly DefaultRoute[] {
  return rows(table)
    .filter(([name, destination]) => name !== 'Iface' && destination === '00000000')
    .map(([interfaceName = '']) => ({ interfaceName, family: 4 }));
}

/** Reads `/proc/net/ipv6_route`; a default route without a gateway is that of the loopback interface. */
export function ipv6DefaultRoutes(table: string): readonly DefaultRoute[] {
  const zero = '0'.repeat(32);
  return rows(table)
    .filter(([destination, , , , gateway]) => destination === zero && gateway !== zero)
    .map((fields) => ({ interfaceName: fields[9] ?? '', family: 6 }));
}

function rows(table: string): readonly (readonly string[])[] {
  return table
    .split('\n')
    .map((line) => line.split(/\s+/).filter((field) => field !== ''))
    .filter((fields) => fields.length > 0);
}
