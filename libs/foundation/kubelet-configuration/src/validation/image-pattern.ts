import { parseImageReference } from '@podwright/kube-types';

/** An image name without tag and digest, or with `/*` at its end for whole path segments. @throws Error */
export function checkImagePattern(pattern: string): void {
  const name = pattern.endsWith('/*') ? pattern.slice(0, -2) : pattern;
  const quoted = JSON.stringify(pattern);
  if (name === '') throw new Error(`the pattern ${quoted} is empty`);
  if (name.includes('*')) throw new Error(`a wildcard is allowed only as the whole last path segment: ${quoted}`);
  if (pattern.trim() !== pattern) throw new Error(`leading/trailing spaces are not allowed: ${quoted}`);
  const isDomainAlone = /^[\w.-]+(:\d+)?$/.test(name) && name !== pattern;
  if (isDomainAlone) return;
  const reference = parseImageReference(name);
  if ('fault' in reference) throw new Error(`not a valid image name: ${quoted}`);
  const hasTag = name.slice(name.lastIndexOf('/') + 1).includes(':');
  if (hasTag || reference.digest !== '') throw new Error(`tags and digests are not allowed: ${quoted}`);
}
