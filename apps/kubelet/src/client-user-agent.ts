import { version } from './version.js';

// Go's names of the processors that Node knows by others.
const goArch: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' };

/**
 * What the kubelet calls itself in requests to the API server: upstream's form, with this kubelet's name where upstream has
 * a commit. Source: kubernetes v1.36 client-go/rest/config.go, DefaultKubernetesUserAgent.
 */
export function clientUserAgent(): string {
  return `kubelet/${version} (${process.platform}/${goArch[process.arch] ?? process.arch}) kubernetes/podwright`;
}
