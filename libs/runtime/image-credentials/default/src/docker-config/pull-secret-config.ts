import type { Secret } from '@podwright/kube-types';
import { parseDockerConfig, type DockerConfig, type DockerConfigFormat } from './docker-config.js';

const kinds: Readonly<Record<string, readonly [key: string, format: DockerConfigFormat]>> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson', 'config.json'],
  'kubernetes.io/dockercfg': ['.dockercfg', '.dockercfg'],
};

/**
 * The credentials in a pull secret; empty for a secret of another type or without the key. @throws KubeletError
 * `invalid-argument` for invalid content; the text shows nothing of it. Source: kubernetes v1.36
 * pkg/credentialprovider/secrets.
 */
export function pullSecretConfig({ type = '', data = {}, metadata }: Secret): DockerConfig {
  const [key, format] = (Object.hasOwn(kinds, type) ? kinds[type] : undefined) ?? [];
  const content = key === undefined ? undefined : data[key];
  if (format === undefined || content === undefined || content === '') return [];
  const where = `pull secret "${metadata?.namespace ?? ''}/${metadata?.name ?? ''}"`;
  return parseDockerConfig(Buffer.from(content, 'base64').toString(), format, where);
}
