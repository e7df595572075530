import { createToken, defineConfig, durationMsField, enumField } from '@podwright/assembly-interface';

export interface ReferencedObjectsConfig {
  /** How changes are found: a watch per object, a cache with a time limit, or a call per read. */
  readonly strategy: 'Watch' | 'Cache' | 'Get';
  /** Period of pod syncs in milliseconds; idle watches end after five of them, not before a minute. */
  readonly syncFrequencyMs: number;
}

export const API_SECRETS_CONFIG = createToken<ReferencedObjectsConfig>('kubelet.referenced-objects.secrets.config/v1');
export const API_CONFIGMAPS_CONFIG = createToken<ReferencedObjectsConfig>(
  'kubelet.referenced-objects.configmaps.config/v1',
);

const fields = {
  strategy: enumField(['Watch', 'Cache', 'Get'], 'Watch'),
  syncFrequencyMs: durationMsField(60_000),
};

export const apiSecretsConfigSchema = defineConfig<ReferencedObjectsConfig>(API_SECRETS_CONFIG, fields);
export const apiConfigMapsConfigSchema = defineConfig<ReferencedObjectsConfig>(API_CONFIGMAPS_CONFIG, fields);
