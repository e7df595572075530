import { KubeletError } from '@podwright/errors';

export interface ResolverSettings {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** Bytes. A larger file is refused: it cannot be a resolver file. */
export const maxResolvConfBytes = 10 * 1024 * 1024;

/**
 * Parses a resolver file. @throws KubeletError `invalid-argument` with upstream's text. Source: kubernetes v1.36
 * pkg/kubelet/network/dns/dns.go.
 */
export function parseResolvConf(text: string): ResolverSettings {
  const servers: string[] = [];
  let searches: string[] = [];
  let options: string[] = [];
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/);
    const [keyword = '', ...values] = fields;
    if (keyword === 'nameserver') {
      const [server] = values;
      if (server === undefined) throw new KubeletError('nameserver list is empty ', { code: 'invalid-argument' });
      servers.push(server);
    } else if (keyword === 'search') {
      searches = values.filter((domain) => domain !== '.').map((domain) => domain.replace(/\.$/, ''));
    } else if (keyword === 'options') {
      options = mergeOptions(options, values);
    }
  }
  return { servers, searches, options };
}

/** Merges options by the name before the colon; a later one replaces an earlier one. */
export function mergeOptions(first: readonly string[], second: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const option of [...first, ...second]) byName.set(option.split(':', 1)[0] ?? option, option);
  return [...byName.values()];
}
