import type { KubeletConfiguration } from './kubelet-configuration.js';

/** The configuration for logs and endpoints, without secrets: each header value of the manifest URL is `<masked>`. */
export function maskConfiguration(configuration: KubeletConfiguration): KubeletConfiguration {
  const headers = Object.keys(configuration.staticPodURLHeader).map((name) => [name, ['<masked>']]);
  return { ...configuration, staticPodURLHeader: Object.fromEntries(headers) as Record<string, readonly string[]> };
}
