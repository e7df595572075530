import { KubeletError } from '@podwright/errors';

/** The parts of a reference that decide about its default tag; empty when not given. */
export interface ImageReference {
  readonly tag: string;
  readonly digest: string;
}

// The grammar of distribution/reference, as github.com/distribution/reference v0.6 has it.
const alphanumeric = '[a-z0-9]+';
const separator = '(?:[._]|__|-+)';
const pathComponent = `${alphanumeric}(?:${separator}${alphanumeric})*`;
const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const host = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])`;
const domain = `${host}(?::[0-9]+)?`;
const tag = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(
  `^((?:${domain}/)?${pathComponent}(?:/${pathComponent})*)(?::(${tag}))?(?:@(${digest}))?$`,
);
const identifier = /^[a-f0-9]{64}$/;
const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };
const longestName = 255;

/**
 * Parses an image name as `docker pull` would, a missing domain meaning docker.io. The texts of the errors are those of
 * distribution/reference.
 * @throws KubeletError `invalid-argument`
 */
export function parseImageReference(image: string): ImageReference {
  if (identifier.test(image))
    throw invalid(`invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`);
  const [domainPart, remainder] = splitDomain(image);
  const remoteName = remainder.split(':', 1)[0] ?? '';
  if (remoteName !== remoteName.toLowerCase()) {
    throw invalid(`invalid reference format: repository name (${remoteName}) must be lowercase`);
  }
  const match = reference.exec(`${domainPart}/${remainder}`);
  if (match === null) {
    const lower = reference.test(`${domainPart}/${remainder}`.toLowerCase());
    throw invalid(lower ? 'invalid reference format: repository name must be lowercase' : 'invalid reference format');
  }
  const [, name = '', givenTag = '', givenDigest = ''] = match;
  if (name.length > longestName) throw invalid(`repository name must not be more than ${longestName} characters`);
  if (givenDigest !== '') checkDigest(givenDigest);
  return { tag: givenTag, digest: givenDigest };
}

function splitDomain(image: string): [domain: string, remainder: string] {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isPath = slash < 0 || (!/[.:]/.test(first) && first !== 'localhost' && first === first.toLowerCase());
  let [domainPart, remainder] = isPath ? ['docker.io', image] : [first, image.slice(slash + 1)];
  if (domainPart === 'index.docker.io') domainPart = 'docker.io';
  if (domainPart === 'docker.io' && !remainder.includes('/')) remainder = `library/${remainder}`;
  return [domainPart, remainder];
}

function checkDigest(text: string): void {
  const colon = text.indexOf(':');
  const length = digestLengths[text.slice(0, colon)];
  if (length === undefined) throw invalid('unsupported digest algorithm');
  const hex = text.slice(colon + 1);
  if (hex.length !== length) throw invalid('invalid checksum digest length');
  if (hex !== hex.toLowerCase()) throw invalid('invalid checksum digest format');
}

function invalid(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}

/**
 * The name for the runtime: `:latest` is added when there is neither tag nor digest; nothing else is normalised.
 * @throws KubeletError `invalid-argument` with upstream's text. Source: kubernetes v1.36 pkg/util/parsers/parsers.go.
 */
export function withDefaultTag(image: string): string {
  try {
    const { tag: givenTag, digest: givenDigest } = parseImageReference(image);
    return givenTag === '' && givenDigest === '' ? `${image}:latest` : image;
  } catch (error) {
    const { message, code } = KubeletError.from(error);
    throw new KubeletError(`couldn't parse image name ${JSON.stringify(image)}: ${message}`, { code, cause: error });
  }
}
