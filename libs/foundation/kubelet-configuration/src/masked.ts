import type { KubeletConfiguration } from './kubelet-configuration.js';

/**
 * The configuration for logs and recordings, without secrets: each header value of the manifest URL is `<masked>`.
 * `/configz` has it as it is. Source: kubernetes v1.36 cmd/kubelet/app/server.go, NewKubeletCommand.
 */
export function maskConfiguration(configuration: KubeletConfiguration): KubeletConfiguration {
  const headers = Object.keys(configuration.staticPodURLHeader).map((name) => [name, ['<masked>']]);
  return { ...configuration, staticPodURLHeader: Object.fromEntries(headers) as Record<string, readonly string[]> };
}
