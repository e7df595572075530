import { KubeletError } from '@podwright/errors';
import { dns1123Label, dns1123Subdomain } from '@podwright/kube-types';
import type { NameRule, Pod } from '@podwright/kube-types';

export interface PodHostname {
  readonly hostname: string;
  /** Empty when the pod has no subdomain. */
  readonly hostDomain: string;
}

const longestHostname = 63;
const longestKernelHostname = 64;

export interface PodHostnameOptions {
  readonly clusterDomain: string;
  /** Feature gate HostnameOverride. */
  readonly hostnameOverride: boolean;
}

/** Host name and domain of a pod. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go GeneratePodHostNameAndDomain. */
export function podHostname({ metadata, spec }: Pod, options: PodHostnameOptions): PodHostname {
  const name = metadata.name ?? '';
  const { hostnameOverride } = spec;
  if (options.hostnameOverride && hostnameOverride !== undefined) {
    demand(dns1123Subdomain, hostnameOverride, 'HostnameOverride', 'subdomain');
    return { hostname: shortened(name, hostnameOverride), hostDomain: '' };
  }
  const given = spec.hostname ?? '';
  if (given !== '') demand(dns1123Label, given, 'Hostname', 'label');
  const hostname = shortened(name, given === '' ? name : given);
  const subdomain = spec.subdomain ?? '';
  if (subdomain === '') return { hostname, hostDomain: '' };
  demand(dns1123Label, subdomain, 'Subdomain', 'label');
  return { hostname, hostDomain: `${subdomain}.${metadata.namespace ?? ''}.svc.${options.clusterDomain}` };
}

/**
 * Host name for the sandbox. The kernel takes 64 bytes, and a fully qualified name may be longer. Source:
 * pkg/kubelet/util/util.go.
 */
export function kernelHostname({ hostname, hostDomain }: PodHostname, setHostnameAsFqdn: boolean): string {
  if (!setHostnameAsFqdn || hostDomain === '') return hostname;
  const fqdn = `${hostname}.${hostDomain}`;
  if (fqdn.length <= longestKernelHostname) return fqdn;
  const limits = `(${longestKernelHostname} characters is the max, ${fqdn.length} characters requested)`;
  const message = `failed to construct FQDN from pod hostname and cluster domain, FQDN ${fqdn} is too long ${limits}`;
  throw new KubeletError(message, { code: 'invalid-argument' });
}

function demand(rule: NameRule, value: string, field: string, kind: string): void {
  const faults = rule(value);
  if (faults.length === 0) return;
  const message = `pod ${field} ${JSON.stringify(value)} is not a valid DNS ${kind}: ${faults.join(';')}`;
  throw new KubeletError(message, { code: 'invalid-argument' });
}

function shortened(podName: string, hostname: string): string {
  if (hostname.length <= longestHostname) return hostname;
  const cut = hostname.slice(0, longestHostname).replace(/[-.]+$/, '');
  if (cut !== '') return cut;
  throw new KubeletError(`hostname for pod ${JSON.stringify(podName)} was invalid: ${JSON.stringify(hostname)}`, {
    code: 'invalid-argument',
  });
}
