import type { PodSourceReader } from '@podwright/pod-config-interface';
import { FileSource } from './file-source.js';
import { getOverHttp } from './http-get.js';
import { HttpSource } from './http-source.js';
import type { PodConfigNeeds } from './merged-pod-config.js';
import type { PodConfigOptions } from './pod-config-options.js';
import { createStaticPodReader } from './static-pod-reader.js';

/**
 * Creates the configured sources of static pods, file before URL: when both are ready at the start, their pods are
 * admitted in this order.
 */
export function createStaticPodSources(
  { clock, logger, journal }: Pick<PodConfigNeeds, 'clock' | 'logger' | 'journal'>,
  options: PodConfigOptions,
): readonly PodSourceReader[] {
  const reader = createStaticPodReader(options.nodeName, options, (message) =>
    logger.warn(`parts of a static pod manifest are ignored: ${message}`),
  );
  const sources: PodSourceReader[] = [];
  if (options.staticPodPath !== '') {
    const fileOptions = { path: options.staticPodPath, checkFrequencyMs: options.fileCheckFrequencyMs };
    sources.push(new FileSource({ clock, logger, journal, reader }, fileOptions));
  }
  if (options.staticPodUrl !== '') {
    const httpOptions = {
      url: options.staticPodUrl,
      headers: options.staticPodUrlHeader,
      checkFrequencyMs: options.httpCheckFrequencyMs,
    };
    sources.push(new HttpSource({ clock, logger, journal, reader, get: getOverHttp }, httpOptions));
  }
  return sources;
}
