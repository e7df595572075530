import type { TrackedCredential } from '@podwright/image-credentials-interface';
import { matchesRegistry } from './matches-registry.js';
import { parseRegistryUrl } from './registry-url.js';

const defaultRegistry = 'index.docker.io';
const defaultRegistryNames: readonly string[] = ['docker.io', defaultRegistry];

/** A registry, as its source writes it (`https://index.docker.io/v1/`, `quay.io/team`), and a credential for it. */
export type KeyringEntry = readonly [registry: string, credential: TrackedCredential];

/**
 * Finds the credentials for an image, the most specific registry first. Several may match; only a pull shows which one
 * works. Source: kubernetes v1.36 pkg/credentialprovider/keyring.go BasicDockerKeyring.
 */
export class DockerKeyring {
  private readonly credentials = new Map<string, TrackedCredential[]>();

  /** Ignores entries whose registry is not a valid URL. */
  constructor(entries: Iterable<KeyringEntry>) {
    for (const [registry, credential] of entries) {
      const key = keyOf(registry);
      if (key !== undefined) this.credentials.set(key, [...(this.credentials.get(key) ?? []), credential]);
    }
  }

  /** `repository` has no tag and no digest: `docker.io/library/busybox`. */
  lookUp(repository: string): readonly TrackedCredential[] {
    // In reverse alphabetical order, a longer pattern comes before its own prefix.
    const patterns = [...this.credentials.keys()].sort().reverse();
    const found = patterns.filter((pattern) => matchesRegistry(pattern, repository));
    if (found.length > 0) return found.flatMap((pattern) => this.credentials.get(pattern) ?? []);
    return isOfDefaultRegistry(repository) ? (this.credentials.get(defaultRegistry) ?? []) : [];
  }
}

/** Host and path; drops the path prefixes `/v1` and `/v2`, which stand for protocol versions. */
function keyOf(registry: string): string | undefined {
  const url = parseRegistryUrl(registry.replace(/^https?:\/\//, ''));
  if ('fault' in url) return undefined;
  const path = /^\/v[12]\//.test(url.path) ? url.path.slice(3) : url.path;
  return path === '/' ? url.host : url.host + path;
}

function isOfDefaultRegistry(repository: string): boolean {
  const [first = ''] = repository.split('/', 1);
  if (first === '') return false;
  return !repository.includes('/') || defaultRegistryNames.includes(first) || !/[.:]/.test(first);
}
