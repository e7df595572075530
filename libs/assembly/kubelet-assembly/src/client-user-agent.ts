import { version } from './version.js';

// Go's processor names where Node's differ.
const goArch: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' };

/**
 * User-Agent header of requests to the API server, in upstream's form; this kubelet's name stands in place of the
 * commit. Source: kubernetes v1.36 client-go/rest/config.go, DefaultKubernetesUserAgent.
 */
export function clientUserAgent(): string {
  return `kubelet/${version} (${process.platform}/${goArch[process.arch] ?? process.arch}) kubernetes/podwright`;
}
