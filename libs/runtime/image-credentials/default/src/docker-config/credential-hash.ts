import { createHash } from 'node:crypto';
import { goJson } from '@podwright/kube-types';
import type { DockerConfigEntry } from './docker-config.js';

/**
 * Lower-case hex SHA-256 of the credential's JSON as Go encodes it, so that records of upstream's kubelet stay valid.
 * Source: kubernetes v1.36 pkg/credentialprovider/keyring.go hashAuthConfig.
 */
export function credentialHash({ username, password, email }: DockerConfigEntry): string {
  const fields = Object.entries({ username, password, email }).filter(([, value]) => value !== '');
  return createHash('sha256')
    .update(goJson(Object.fromEntries(fields)))
    .digest('hex');
}
