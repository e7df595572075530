import { defineConfig, durationMsField, enumField } from '@podwright/assembly-interface';

export interface ReferencedObjectsConfig {
  /** How to detect changes: a watch per object, a cache with a time limit, or a call per read. */
  readonly strategy: 'Watch' | 'Cache' | 'Get';
  /** Period of pod syncs in milliseconds; an idle watch ends after five periods, but not before a minute. */
  readonly syncFrequencyMs: number;
}

export const referencedObjectsConfigSchema = defineConfig<ReferencedObjectsConfig>({
  strategy: enumField(['Watch', 'Cache', 'Get'], 'Watch'),
  syncFrequencyMs: durationMsField(60_000),
});
