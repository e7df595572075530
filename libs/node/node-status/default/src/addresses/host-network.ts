import { createToken } from '@podwright/assembly-interface';
import { isMissing, messageOf } from '@podwright/errors';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { interfaceAddresses, type InterfaceAddress } from './interface-addresses.js';
import { tableRows } from './table-rows.js';

export interface DefaultRoute {
  readonly interfaceName: string;
  readonly family: 4 | 6;
}

/** The machine's addresses and routes, and its resolver. */
export interface HostNetwork {
  /** Those of interfaces that are up, with carrier first. */
  addresses(): Promise<readonly InterfaceAddress[]>;
  /** In the kernel's order; undefined on a machine without a routing table. Rejects when the table is malformed. */
  defaultRoutes(): Promise<readonly DefaultRoute[] | undefined>;
  /** Addresses of a name, in the resolver's order. Rejects when there are none. */
  lookup(name: string): Promise<readonly string[]>;
}

/** Optional: replaces this machine's network. */
export const HOST_NETWORK = createToken<HostNetwork>('kubelet.host-network/v1');

/** The network of this machine; reads addresses and routes from `/proc` below `hostRoot`. */
export function readHostNetwork(hostRoot = '/'): HostNetwork {
  const read = (file: string): Promise<string> => readFile(path.join(hostRoot, 'proc/net', file), 'utf8');
  // A kernel without one of these tables, such as one without IPv6, leaves what Node.js lists.
  const orEmpty = (file: string): Promise<string> => read(file).catch(() => '');
  return {
    addresses: async () => {
      const [fibTrie, route, ifInet6] = await Promise.all([orEmpty('fib_trie'), orEmpty('route'), orEmpty('if_inet6')]);
      return interfaceAddresses({ fibTrie, route, ifInet6 });
    },
    defaultRoutes: async () => {
      const table = await read('route').catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw new Error(`cannot read the routes: ${messageOf(error)}`);
      });
      if (table === undefined) return undefined;
      return [...ipv4DefaultRoutes(table), ...ipv6DefaultRoutes(await orEmpty('ipv6_route'))];
    },
    lookup: async (name) => (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address),
  };
}

/** Parses `/proc/net/route`. */
export function ipv4DefaultRoutes(table: string): readonly DefaultRoute[] {
  return tableRows(table)
    .filter(([name, destination]) => name !== 'Iface' && destination === '00000000')
    .map(([interfaceName = '']) => ({ interfaceName, family: 4 }));
}

/** Parses `/proc/net/ipv6_route`; skips default routes without a gateway, which belong to the loopback interface. */
export function ipv6DefaultRoutes(table: string): readonly DefaultRoute[] {
  const zero = '0'.repeat(32);
  return tableRows(table)
    .filter(([destination, , , , gateway]) => destination === zero && gateway !== zero)
    .map((fields) => ({ interfaceName: fields[9] ?? '', family: 6 }));
}
