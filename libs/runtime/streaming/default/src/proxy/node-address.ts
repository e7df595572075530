import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** Whether an address is one of this machine. */
export function isOnNode(
  address: string,
  interfaces: Readonly<
    Record<string, readonly Pick<NetworkInterfaceInfo, 'address'>[] | undefined>
  > = networkInterfaces(),
): boolean {
  const plain = address.replace(/^::ffff:/, '');
  if (/^127\.[\d.]+$/.test(plain) || plain === '::1') return true;
  return Object.values(interfaces).some((entries) => entries?.some((entry) => entry.address === plain));
}
