import type { ResolverSettings } from './resolv-conf.js';

const mostServers = 3;
const mostSearches = 32;
const longestSearch = 253;
const longestSearchLine = 2048;

export interface FittedSettings {
  readonly settings: ResolverSettings;
  /** Messages for DNSConfigForming events: which settings were left out. */
  readonly warnings: readonly string[];
}

/**
 * Cuts settings to the limits of resolvers. Source: kubernetes v1.36 pkg/kubelet/network/dns/dns.go
 * formDNSConfigFitsLimits.
 */
export function fitToLimits({ servers, searches, options }: ResolverSettings): FittedSettings {
  const warnings: string[] = [];
  const fittedServers = servers.slice(0, mostServers);
  if (fittedServers.length < servers.length) {
    warnings.push(
      `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${fittedServers.join(' ')}`,
    );
  }
  const fittedSearches = cutLine(searches.slice(0, mostSearches).filter(({ length }) => length <= longestSearch));
  if (fittedSearches.length < searches.length) {
    warnings.push(
      `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${fittedSearches.join(' ')}`,
    );
  }
  return { settings: { servers: fittedServers, searches: fittedSearches, options }, warnings };
}

/**
 * Messages for CheckLimitsForResolvConf events about the node's own file. With `hasClusterDomain`, three search domains
 * of the cluster are counted too.
 */
export function checkNodeFile(
  path: string,
  { searches }: ResolverSettings,
  hasClusterDomain: boolean,
): readonly string[] {
  const most = hasClusterDomain ? mostSearches - 3 : mostSearches;
  if (searches.length > most)
    return [`Resolv.conf file '${path}' contains search line consisting of more than ${most} domains!`];
  if (searches.some(({ length }) => length > longestSearch)) {
    return [
      `Resolv.conf file ${JSON.stringify(path)} contains a search path which length is more than allowed ${longestSearch} chars!`,
    ];
  }
  if (searches.join(' ').length > longestSearchLine) {
    return [
      `Resolv.conf file '${path}' contains search line which length is more than allowed ${longestSearchLine} chars!`,
    ];
  }
  return [];
}

function cutLine(searches: readonly string[]): readonly string[] {
  let length = -1;
  const fits = searches.findIndex((search) => (length += search.length + 1) > longestSearchLine);
  return fits < 0 ? searches : searches.slice(0, fits);
}
