/** An image name taken apart; `repository` has Docker's defaults filled in (`docker.io/library/nginx`). */
export interface ImageReference {
  readonly repository: string;
  /** `latest` when the name has neither tag nor digest; empty when it has a digest alone. */
  readonly tag: string;
  /** `sha256:...`, or empty. */
  readonly digest: string;
}

const component = '[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*';
const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainPart}(?:\\.${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const syntax = new RegExp(
  `^(?:(${domain})/)?(${component}(?:/${component})*)(?::(\\w[\\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);
/** Longer names are no names; the bound keeps the expression cheap. */
const maxLength = 1024;

/** Undefined when the text is no image name. Source: kubernetes v1.36 pkg/util/parsers/parsers.go. */
export function parseImageReference(image: string): ImageReference | undefined {
  // A bare image ID cannot be told from a name by syntax and is refused, as the reference grammar does.
  if (image.length > maxLength || /^[0-9a-f]{64}$/.test(image)) return undefined;
  const match = syntax.exec(withDomain(image));
  if (match === null) return undefined;
  const [, host = 'docker.io', path = '', tag = '', digest = ''] = match;
  const isOfficial = host === 'docker.io' && !path.includes('/');
  return {
    repository: `${host}/${isOfficial ? `library/${path}` : path}`,
    tag: tag === '' && digest === '' ? 'latest' : tag,
    digest,
  };
}

/** The first part is a registry only if it looks like one: with a dot, a port, an upper-case letter, or `localhost`. */
function withDomain(image: string): string {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  const isDomain = /[.:A-Z]/.test(first) || first === 'localhost';
  if (first === 'index.docker.io') return `docker.io${image.slice(slash)}`;
  return isDomain ? image : `docker.io/${image}`;
}
