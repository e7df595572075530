import { isIP } from 'node:net';

const parts = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:]+)):(?<port>\d{1,5})$/;

/** The host and port of `host:port` or `[::1]:port`. The host must be an IP address. */
export function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const { ipv6, host = '', port } = parts.exec(address)?.groups ?? {};
  return { host: ipv6 ?? host, port: Number(port) };
}

/** Why an address cannot be used; undefined when it can. */
export function addressProblem(address: string): string | undefined {
  const { host, port } = splitAddress(address);
  return isIP(host) !== 0 && port <= 65_535 ? undefined : 'must be an IP address and a port, such as 127.0.0.1:10251';
}
