import { KubeletError } from '@podwright/errors';
import { isJsonObject } from '@podwright/kube-types';

export interface DockerConfigEntry {
  readonly username: string;
  readonly password: string;
  /** Not sent to a registry, but part of the credential's hash. */
  readonly email: string;
}

/** Entries by registry, as the file writes it: `https://index.docker.io/v1/`, `quay.io/team`, `*.example.com:5000`. */
export type DockerConfig = readonly (readonly [registry: string, entry: DockerConfigEntry])[];

/** `config.json` has its entries below `auths`; the older `.dockercfg` has them at the top level. */
export type DockerConfigFormat = 'config.json' | '.dockercfg';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses what `docker login` writes. As upstream, it ignores `identitytoken` and `registrytoken`. `where` is the prefix
 * of error messages. @throws KubeletError `invalid-argument`, whose text shows nothing of the content. Source:
 * kubernetes v1.36 pkg/credentialprovider/config.go.
 */
export function parseDockerConfig(text: string, format: DockerConfigFormat, where: string): DockerConfig {
  const fail = (why: string): never => {
    throw new KubeletError(`${where} is no docker configuration: ${why}`, { code: 'invalid-argument' });
  };
  const parsed = parseJson(text, fail);
  const entries = format === 'config.json' ? fieldOf(parsed, 'auths') : parsed;
  if (!isJsonObject(entries ?? {})) return fail('auths is no object');
  return Object.entries((entries ?? {}) as JsonObject).map(([registry, entry]) => [registry, entryOf(entry, fail)]);
}

type Fail = (why: string) => never;

// The parser's own message would show a part of the secret.
function parseJson(text: string, fail: Fail): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('it is no JSON');
  }
  return value === null ? {} : isJsonObject(value) ? value : fail('it is no object');
}

/** `auth` takes precedence over `username` and `password`. */
function entryOf(entry: unknown, fail: Fail): DockerConfigEntry {
  if (entry !== null && !isJsonObject(entry)) return fail('an entry is no object');
  const [username, password, email, auth] = (['username', 'password', 'email', 'auth'] as const).map((name) => {
    const value = entry === null ? '' : (fieldOf(entry, name) ?? '');
    return typeof value === 'string' ? value : fail('username, password, email or auth is no string');
  }) as [string, string, string, string];
  if (auth === '') return { username, password, email };
  const decoded = decodeBase64(auth) ?? fail('the auth field is not base64');
  const colon = decoded.indexOf(':');
  if (colon < 0) return fail('unable to parse auth field, must be formatted as base64(username:password)');
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1), email };
}

// Node accepts nearly any text as base64. Go accepts only valid letters, with full padding or none.
function decodeBase64(text: string): string | undefined {
  const bare = text.replace(/[\r\n]/g, '');
  const padded = bare.trimEnd().endsWith('=');
  const right = padded ? bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={1,2}$/.test(bare) : /^[A-Za-z0-9+/]*$/.test(bare);
  return right && bare.replace(/=+$/, '').length % 4 !== 1 ? Buffer.from(bare, 'base64').toString() : undefined;
}

/** As Go: field names match in any case, and the last of several counts. */
function fieldOf(value: JsonObject, name: string): unknown {
  return Object.entries(value).findLast(([key]) => key.toLowerCase() === name)?.[1];
}
