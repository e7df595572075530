/** A registry with a path, such as `*.example.com:5000/team`, taken apart. */
export interface RegistryPlace {
  readonly hostParts: readonly string[];
  /** Empty when there is none. */
  readonly port: string;
  /** Empty, or beginning with a slash. */
  readonly path: string;
}

/** Undefined for what has no host. */
export function splitRegistry(place: string): RegistryPlace | undefined {
  const slash = place.indexOf('/');
  const [authority, path] = slash < 0 ? [place, ''] : [place.slice(0, slash), place.slice(slash)];
  const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  return host === '' || /\s/.test(host) ? undefined : { hostParts: host.split('.'), port, path };
}

/**
 * True when each part of the host matches (`*` stands for characters of one part, `?` for one), the ports are equal, and the path of the
 * pattern begins that of the image. Source: kubernetes v1.36 pkg/credentialprovider/keyring.go URLsMatch.
 */
export function matchesRegistry(pattern: RegistryPlace, image: RegistryPlace): boolean {
  if (pattern.port !== image.port || pattern.hostParts.length !== image.hostParts.length) return false;
  if (!image.path.startsWith(pattern.path)) return false;
  return pattern.hostParts.every((part, index) => matchesPart(part, image.hostParts[index] ?? ''));
}

// Steps back to the last `*` only: an expression would take exponential time for a pattern that somebody made for that.
function matchesPart(pattern: string, part: string): boolean {
  let [at, star, resume] = [0, -1, 0];
  for (let index = 0; index < part.length;) {
    if (pattern[at] === '*') {
      [star, resume] = [at, index];
      at += 1;
    } else if (pattern[at] === '?' || pattern[at] === part[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else return false;
  }
  return [...pattern.slice(at)].every((character) => character === '*');
}
