import type { DockerConfig, RegistryCredentials } from './docker-config.js';
import { matchesRegistry, splitRegistry } from './registry-pattern.js';

const defaultRegistry = 'index.docker.io';
const defaultRegistryNames: readonly string[] = ['docker.io', defaultRegistry];

/**
 * Finds credentials for an image among those of several configurations, the most specific registry first: several may be
 * right, and only a try tells which. Source: kubernetes v1.36 pkg/credentialprovider/keyring.go BasicDockerKeyring.
 */
export class DockerKeyring {
  private readonly credentials = new Map<string, RegistryCredentials[]>();

  /** Entries that are no URL are left out. */
  constructor(configs: readonly DockerConfig[]) {
    for (const [registry, credentials] of configs.flat()) {
      const key = keyOf(registry);
      if (key !== undefined) this.credentials.set(key, [...(this.credentials.get(key) ?? []), credentials]);
    }
  }

  /** `repository` has no tag and no digest, such as `docker.io/library/busybox`. */
  lookUp(repository: string): readonly RegistryCredentials[] {
    const image = splitRegistry(repository);
    if (image === undefined) return [];
    const patterns = [...this.credentials.keys()].sort().reverse();
    const found = patterns.filter((pattern) => {
      const split = splitRegistry(pattern);
      return split !== undefined && matchesRegistry(split, image);
    });
    if (found.length > 0) return found.flatMap((pattern) => this.credentials.get(pattern) ?? []);
    return isOfDefaultRegistry(repository) ? (this.credentials.get(defaultRegistry) ?? []) : [];
  }
}

/** Host and path; `/v1` and `/v2`, which stand for versions of the protocol, do not count. */
function keyOf(registry: string): string | undefined {
  const split = splitRegistry(registry.replace(/^https?:\/\//, ''));
  if (split === undefined) return undefined;
  const host = split.port === '' ? split.hostParts.join('.') : `${split.hostParts.join('.')}:${split.port}`;
  const path = /^\/v[12]\//.test(split.path) ? split.path.slice(3) : split.path;
  return path === '/' ? host : host + path;
}

function isOfDefaultRegistry(repository: string): boolean {
  const [first = ''] = repository.split('/', 1);
  if (first === '') return false;
  return !repository.includes('/') || defaultRegistryNames.includes(first) || !/[.:]/.test(first);
}
