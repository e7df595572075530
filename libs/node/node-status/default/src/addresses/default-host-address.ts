import { KubeletError } from '@podwright/errors';
import { ipFamily } from '@podwright/kube-types';
import type { HostNetwork } from './host-network.js';
import type { InterfaceAddress } from './interface-addresses.js';
import { ipKind } from './ip-kind.js';

const routeFiles = '"/proc/net/route" or "/proc/net/ipv6_route"';

/**
 * The address of the interface with a default route, of the preferred family if there is one. Rejects with upstream's
 * text when no interface has a usable address. Source: kubernetes v1.36 apimachinery/pkg/util/net/interface.go
 * ResolveBindAddress.
 */
export async function defaultHostAddress(network: HostNetwork, preferred: 4 | 6): Promise<string> {
  const families = preferred === 4 ? ([4, 6] as const) : ([6, 4] as const);
  const addresses = await network.addresses();
  const firstOf = (family: 4 | 6, belongs: (address: InterfaceAddress) => boolean): string | undefined =>
    addresses.find(
      (entry) => belongs(entry) && ipFamily(entry.address) === family && ipKind(entry.address).globalUnicast,
    )?.address;
  const routes = await network.defaultRoutes();
  if (routes === undefined) {
    if (addresses.length === 0) throw none('no interfaces found on host.');
    for (const family of families) {
      const found = firstOf(family, ({ internal }) => !internal);
      if (found !== undefined) return found;
    }
    throw none('no acceptable interface with global unicast address found on host');
  }
  if (routes.length === 0) throw none(`no default routes found in ${routeFiles}`);
  for (const family of families) {
    for (const route of routes.filter((candidate) => candidate.family === family)) {
      const found =
        firstOf(family, ({ interfaceName }) => interfaceName === route.interfaceName) ??
        // Where interfaces have link-local addresses only (RFC 5549), the machine's address is on the loopback
        // interface.
        firstOf(family, ({ internal }) => internal);
      if (found !== undefined) return found;
    }
  }
  throw none('unable to select an IP from default routes.');
}

const none = (message: string): KubeletError => new KubeletError(message, { code: 'not-found' });
