import { decodeOptions } from '@podwright/assembly-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { PodConfig, PodSourceReader } from '@podwright/pod-config-interface';
import type { Clock } from '@podwright/time';
import { MergedPodConfig } from './merged-pod-config.js';
import { podConfigSchema } from './pod-config-options.js';
import type { PodConfigOptions } from './pod-config-options.js';
import { createStaticPodSources } from './static-pod-sources.js';

export interface PodConfigDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: EventRecorder;
  /** The pods of the API server, where there is one. */
  readonly apiSource?: PodSourceReader;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createPodConfig(
  deps: PodConfigDeps,
  options: Partial<PodConfigOptions> & Pick<PodConfigOptions, 'nodeName'>,
): PodConfig {
  const config = decodeOptions('pod-config', podConfigSchema, options);
  const { clock, logger, events, apiSource } = deps;
  return new MergedPodConfig(createStaticPodSources(clock, logger, config), apiSource, events, clock, logger);
}
