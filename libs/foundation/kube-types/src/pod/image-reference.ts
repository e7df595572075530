/** The parts of an image name; `repository` includes Docker's defaults (`docker.io/library/nginx`). */
export interface ImageReference {
  readonly repository: string;
  /** `latest` when the name has neither tag nor digest; empty when it has only a digest. */
  readonly tag: string;
  /** `sha256:...`, or empty. */
  readonly digest: string;
}

// The grammar of github.com/distribution/reference v0.6.
const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const host = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const syntax = new RegExp(
  `^((?:${host}(?::[0-9]+)?/)?${component}(?:/${component})*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(${digest}))?$`,
);
// A first part that is no host, such as one with an underscore, belongs to the path.
const startsWithHost = new RegExp(`^${host}(?::[0-9]+)?/`);
const identifier = /^[a-f0-9]{64}$/;
const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };
const longestName = 255;

/**
 * Parses an image name as `docker pull` does. `fault` says in the words of distribution/reference why a name is
 * invalid.
 * Source: kubernetes v1.36 pkg/util/parsers/parsers.go.
 */
export function parseImageReference(image: string): ImageReference | { readonly fault: string } {
  if (identifier.test(image)) {
    return { fault: `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings` };
  }
  const [domain, remainder] = splitDomain(image);
  const remoteName = remainder.split(':', 1)[0] ?? '';
  if (remoteName !== remoteName.toLowerCase()) {
    return { fault: `invalid reference format: repository name (${remoteName}) must be lowercase` };
  }
  const name = `${domain}/${remainder}`;
  const match = syntax.exec(name);
  if (match === null) {
    const isLetterCase = syntax.test(name.toLowerCase());
    return { fault: `invalid reference format${isLetterCase ? ': repository name must be lowercase' : ''}` };
  }
  const [, repository = '', tag = '', digest = ''] = match;
  const path = startsWithHost.test(repository) ? repository.slice(repository.indexOf('/') + 1) : repository;
  if (path.length > longestName) {
    return { fault: `repository name must not be more than ${longestName} characters` };
  }
  const fault = digest === '' ? undefined : digestFault(digest);
  if (fault !== undefined) return { fault };
  return { repository, tag: tag === '' && digest === '' ? 'latest' : tag, digest };
}

/** The first part is a registry only when it has a dot, a port or an upper-case letter, or is `localhost`. */
function splitDomain(image: string): [domain: string, remainder: string] {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isDomain = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const [given, rest] = isDomain ? [first, image.slice(slash + 1)] : ['docker.io', image];
  const domain = given === 'index.docker.io' ? 'docker.io' : given;
  return [domain, domain === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest];
}

function digestFault(text: string): string | undefined {
  const colon = text.indexOf(':');
  const length = digestLengths[text.slice(0, colon)];
  if (length === undefined) return 'unsupported digest algorithm';
  const hex = text.slice(colon + 1);
  if (hex.length !== length) return 'invalid checksum digest length';
  return hex === hex.toLowerCase() ? undefined : 'invalid checksum digest format';
}
