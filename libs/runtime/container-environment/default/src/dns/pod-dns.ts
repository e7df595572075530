import { ipFamily, podRef } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import { mergeOptions } from './resolv-conf.js';
import type { ResolverSettings } from './resolv-conf.js';

export interface ClusterDns {
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string;
  readonly nodeIps: readonly string[];
}

export interface PodDns {
  readonly settings: ResolverSettings;
  /** Messages for the MissingClusterDNS events of the node and of the pod. */
  readonly missingClusterDns?: { readonly node: string; readonly pod: string };
}

/**
 * Resolver settings for the pod's DNS policy, before limits apply. `node` is the content of the node's resolver file,
 * undefined when none is configured. Source: kubernetes v1.36 pkg/kubelet/network/dns/dns.go GetPodDNS.
 */
export function podDns(pod: Pod, node: ResolverSettings | undefined, cluster: ClusterDns): PodDns {
  const policy = effectivePolicy(pod);
  if (policy === 'none') return { settings: withPodConfig({ servers: [], searches: [], options: [] }, pod) };
  if (policy === 'host') return { settings: withPodConfig(hostSettings(node, cluster), pod) };
  if (cluster.clusterDns.length > 0) {
    const searches = clusterSearches(pod.metadata.namespace ?? '', cluster.clusterDomain, node?.searches ?? []);
    return { settings: withPodConfig({ servers: cluster.clusterDns, searches, options: ['ndots:5'] }, pod) };
  }
  const nodeMessage =
    'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
  const missingClusterDns = { node: nodeMessage, pod: `pod: ${JSON.stringify(podRef(pod))}. ${nodeMessage}` };
  return { settings: withPodConfig(hostSettings(node, cluster), pod), missingClusterDns };
}

function effectivePolicy({ spec }: Pod): 'none' | 'host' | 'cluster' {
  switch (spec.dnsPolicy) {
    case 'None':
      return 'none';
    case 'Default':
      return 'host';
    case 'ClusterFirst':
      return spec.hostNetwork === true ? 'host' : 'cluster';
    default: // ClusterFirstWithHostNet; validation rejects every other value
      return 'cluster';
  }
}

function hostSettings(node: ResolverSettings | undefined, { nodeIps }: ClusterDns): ResolverSettings {
  if (node !== undefined) return node;
  const servers = nodeIps.map((ip) => (ipFamily(ip) === 6 ? '::1' : '127.0.0.1'));
  return { servers: servers.length === 0 ? ['127.0.0.1'] : servers, searches: ['.'], options: [] };
}

function clusterSearches(namespace: string, domain: string, hostSearches: readonly string[]): readonly string[] {
  if (domain === '') return hostSearches;
  return unique([`${namespace}.svc.${domain}`, `svc.${domain}`, domain, ...hostSearches]);
}

function withPodConfig(settings: ResolverSettings, { spec }: Pod): ResolverSettings {
  const config = spec.dnsConfig;
  if (config === undefined) return settings;
  const own = (config.options ?? []).map(({ name = '', value = '' }) => (value === '' ? name : `${name}:${value}`));
  return {
    servers: unique([...settings.servers, ...(config.nameservers ?? [])]),
    searches: unique([...settings.searches, ...(config.searches ?? [])]),
    options: mergeOptions(settings.options, own),
  };
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
