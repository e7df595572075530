import { KubeletError } from '@podwright/errors';
import { trimImage } from './trim-image.js';

export const verificationPolicies = [
  'NeverVerify',
  'NeverVerifyPreloadedImages',
  'NeverVerifyAllowlistedImages',
  'AlwaysVerify',
] as const;
export type VerificationPolicy = (typeof verificationPolicies)[number];

/** True when the pod must show that it could pull the image. `pulledByKubelet`: a record or an intent exists. */
export type RequiresVerification = (image: string, pulledByKubelet: boolean) => boolean;

/**
 * The check for a policy. @throws KubeletError `invalid-argument` for an invalid pattern of the allowlist. Source:
 * kubernetes v1.36 pkg/kubelet/images/pullmanager/image_pull_policies.go.
 */
export function verificationPolicy(policy: VerificationPolicy, allowlist: readonly string[]): RequiresVerification {
  switch (policy) {
    case 'NeverVerify':
      return () => false;
    case 'NeverVerifyPreloadedImages':
      return (_image, pulledByKubelet) => pulledByKubelet;
    case 'NeverVerifyAllowlistedImages':
      return allowlistPolicy(allowlist);
    case 'AlwaysVerify':
      return () => true;
  }
}

function allowlistPolicy(patterns: readonly string[]): RequiresVerification {
  patterns.forEach(checkPattern);
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('/*')));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('/*')).map((pattern) => pattern.slice(0, -1));
  return (image) => {
    const name = nameOf(image);
    return !names.has(name) && !prefixes.some((prefix) => name.startsWith(prefix));
  };
}

// An image name that cannot be parsed is compared as it is.
function nameOf(image: string): string {
  try {
    return trimImage(image);
  } catch {
    return image;
  }
}

/** Accepts an image name without tag and digest, or a prefix of whole path segments that ends in `/*`. */
function checkPattern(pattern: string): void {
  const fail = (why: string): never => {
    throw new KubeletError(why, { code: 'invalid-argument' });
  };
  if (pattern !== pattern.trim()) fail(`leading/trailing spaces are not allowed: ${pattern}`);
  const isPrefix = pattern.endsWith('/*');
  const name = isPrefix ? pattern.slice(0, -1) : pattern;
  if (name === '') fail(`the supplied pattern is too short: ${pattern}`);
  if (name.includes('*')) {
    fail(`not a valid wildcard pattern, only patterns ending with '/*' are allowed: ${pattern}`);
  }
  if (isPrefix && name.length === 1) fail('at least registry hostname is required');
  if (isPrefix) return;
  let trimmed: string;
  try {
    trimmed = trimImage(name);
  } catch (error) {
    return fail(`failed to parse as an image name: ${KubeletError.from(error).message}`);
  }
  if (trimmed !== name) fail(`neither tag nor digest is accepted in an image reference: ${pattern}`);
}
