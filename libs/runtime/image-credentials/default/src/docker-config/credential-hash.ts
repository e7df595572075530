import { createHash } from 'node:crypto';
import type { DockerConfigEntry } from './docker-config.js';

/**
 * Lower-case hex SHA-256 over the JSON that Go makes of the credential, so that records which upstream's kubelet has written go
 * on to fit. Source: kubernetes v1.36 pkg/credentialprovider/keyring.go hashAuthConfig.
 */
export function credentialHash({ username, password, email }: DockerConfigEntry): string {
  const fields = Object.entries({ username, password, email }).filter(([, value]) => value !== '');
  return createHash('sha256')
    .update(goJson(Object.fromEntries(fields)))
    .digest('hex');
}

/** Go escapes what could end a script or a line of one. */
function goJson(value: Readonly<Record<string, string>>): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
