import { KubeletError } from '@podwright/errors';
import type { Secret } from '@podwright/kube-types';

export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
}

/** Credentials by registry, as written: `https://index.docker.io/v1/`, `quay.io/team`, `*.example.com:5000`. */
export type DockerConfig = readonly (readonly [registry: string, credentials: RegistryCredentials])[];

const dataKeys: Readonly<Record<string, string>> = {
  'kubernetes.io/dockerconfigjson': '.dockerconfigjson',
  'kubernetes.io/dockercfg': '.dockercfg',
};

/**
 * What a pull secret holds; empty for a secret of another type or without the key.
 * @throws KubeletError `invalid-argument` for what is no such configuration; its text tells nothing of the content.
 * Source: kubernetes v1.36 pkg/credentialprovider/secrets, pkg/credentialprovider/config.go.
 */
export function dockerConfigOf({ type = '', data = {}, metadata }: Secret): DockerConfig {
  const key = dataKeys[type];
  const content = key === undefined ? undefined : data[key];
  if (key === undefined || content === undefined || content === '') return [];
  const where = `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  const parsed = parse(Buffer.from(content, 'base64').toString(), where);
  const auths = key === '.dockerconfigjson' ? (parsed['auths'] ?? {}) : parsed;
  if (!isRecord(auths)) throw invalid(where, 'auths is no object');
  return Object.entries(auths).map(([registry, entry]) => [registry, credentialsOf(entry, where)]);
}

// The parser's own message would show a piece of the secret.
function parse(text: string, where: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(where, 'it is no JSON');
  }
  if (!isRecord(value)) throw invalid(where, 'it is no object');
  return value;
}

/** `auth` wins over the plain fields. */
function credentialsOf(entry: unknown, where: string): RegistryCredentials {
  if (!isRecord(entry)) throw invalid(where, 'an entry is no object');
  const { username = '', password = '', auth = '' } = entry;
  if (typeof username !== 'string' || typeof password !== 'string' || typeof auth !== 'string') {
    throw invalid(where, 'username, password or auth is no string');
  }
  if (auth === '') return { username, password };
  const decoded = Buffer.from(auth, 'base64').toString();
  const colon = decoded.indexOf(':');
  if (colon < 0) throw invalid(where, 'unable to parse auth field, must be formatted as base64(username:password)');
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(where: string, why: string): KubeletError {
  return new KubeletError(`pull secret "${where}" is no docker configuration: ${why}`, { code: 'invalid-argument' });
}
