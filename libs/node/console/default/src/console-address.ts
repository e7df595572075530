import { isIP } from 'node:net';

export interface ConsoleAddress {
  readonly host: string;
  readonly port: number;
}

const defaultHost = '127.0.0.1';
// That of cAdvisor's page, which upstream's kubelet once served there.
const defaultPort = 4194;

/**
 * An address of loopback from what a person writes: `127.0.0.1:4194`, `[::1]:4194`, `localhost`, `:4194` or `4194`. A
 * text says why it cannot be used.
 */
export function consoleAddress(given: string): ConsoleAddress | string {
  const { ipv6, host = '', port } = split(given) ?? {};
  if (ipv6 === undefined && host === '' && port === undefined)
    return 'must be a host and a port, such as 127.0.0.1:4194';
  const address = ipv6 ?? (host === '' || host === 'localhost' ? defaultHost : host);
  const number = port === undefined ? defaultPort : Number(port);
  if (number > 65_535) return 'must have a port up to 65535';
  if (isIP(address) === 0) return 'must be an IP address of loopback, or localhost, and a port';
  if (!isLoopback(address)) {
    return 'must be an address of loopback: for other machines the same pages are on the main port below /console/, behind its access control';
  }
  return { host: address, port: number };
}

const forms = [
  /^:?(?<port>\d+)$/,
  /^\[(?<ipv6>[^\]]+)\](?::(?<port>\d+))?$/,
  /^(?<host>[^:[\]]+)(?::(?<port>\d+))?$/,
  /^(?<ipv6>[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$/,
];

function split(given: string): Readonly<Record<string, string | undefined>> | undefined {
  for (const form of forms) {
    const { groups } = form.exec(given) ?? {};
    if (groups !== undefined) return groups;
  }
  return undefined;
}

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

/** The names by which a browser on the machine reaches a port of loopback: the host of a request's Host header. */
export function isLoopbackHost(header: string | undefined): boolean {
  const host = /^(?<name>\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(header ?? '')?.groups?.['name']?.toLowerCase() ?? '';
  if (host === 'localhost' || host === '[::1]') return true;
  return isIP(host) === 4 && isLoopback(host);
}
