import { createToken } from '@podwright/assembly-interface';
import type { PodSourceReader } from '@podwright/pod-config-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { FileSource } from './file-source.js';
import { getOverHttp } from './http-get.js';
import { HttpSource } from './http-source.js';
import { watchDirectory } from './path-watcher.js';
import type { PodConfigOptions } from './pod-config-options.js';
import { createStaticPodReader } from './static-pod-reader.js';

/** The sources of static pods that the options ask for. */
export const STATIC_POD_SOURCES = createToken<readonly PodSourceReader[]>('kubelet.pod-config.static-sources/v1');

/** File before URL: their pods are admitted in this order when both are there at the start. */
export function createStaticPodSources(
  clock: Clock,
  logger: Logger,
  options: PodConfigOptions,
): readonly PodSourceReader[] {
  const reader = createStaticPodReader(options.nodeName);
  const sources: PodSourceReader[] = [];
  if (options.staticPodPath !== '') {
    const fileOptions = { path: options.staticPodPath, checkFrequencyMs: options.fileCheckFrequencyMs };
    sources.push(new FileSource({ clock, logger, reader, watchDirectory }, fileOptions));
  }
  if (options.staticPodUrl !== '') {
    const httpOptions = {
      url: options.staticPodUrl,
      headers: options.staticPodUrlHeader,
      checkFrequencyMs: options.httpCheckFrequencyMs,
    };
    sources.push(new HttpSource({ clock, logger, reader, get: getOverHttp }, httpOptions));
  }
  return sources;
}
