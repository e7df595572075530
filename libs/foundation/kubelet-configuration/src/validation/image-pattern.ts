import { parseImageReference } from '@podwright/kube-types';

/**
 * Checks an image pattern: an image name without tag and digest, or a prefix that ends in `/*`, which is not parsed
 * further.
 * Source: kubernetes v1.36 pkg/kubelet/images/pullmanager/image_pull_policies.go getAllowlistImagePattern. @throws
 * Error
 */
export function checkImagePattern(pattern: string): void {
  if (pattern !== pattern.trim()) throw new Error(`leading/trailing spaces are not allowed: ${pattern}`);
  const isPrefix = pattern.endsWith('/*');
  const name = isPrefix ? pattern.slice(0, -1) : pattern;
  if (name === '') throw new Error(`the supplied pattern is too short: ${pattern}`);
  if (name.includes('*')) {
    throw new Error(`not a valid wildcard pattern, only patterns ending with '/*' are allowed: ${pattern}`);
  }
  if (isPrefix && name.length === 1) throw new Error('at least registry hostname is required');
  if (isPrefix) return;
  const reference = parseImageReference(name);
  if ('fault' in reference) throw new Error(`failed to parse as an image name: ${reference.fault}`);
  const hasTag = name.slice(name.lastIndexOf('/') + 1).includes(':');
  if (hasTag || reference.digest !== '') {
    throw new Error(`neither tag nor digest is accepted in an image reference: ${pattern}`);
  }
}
