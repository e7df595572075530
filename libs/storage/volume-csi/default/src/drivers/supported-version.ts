import { KubeletError } from '@podwright/errors';

/**
 * The highest version 1.x among those of a driver, as dotted numbers. A higher major is skipped: it may not be
 * compatible. Throws `invalid-argument` when there is none. Source: kubernetes v1.36
 * apimachinery/pkg/util/version HighestSupportedVersion.
 */
export function highestSupportedVersion(versions: readonly string[]): string {
  let highest: readonly number[] | undefined;
  let problem = '<nil>';
  for (const text of [...versions].reverse()) {
    const version = componentsOf(text);
    if (typeof version === 'string') problem = version;
    else if ((version[0] ?? 0) <= 1 && (highest === undefined || compare(highest, version) < 0)) highest = version;
  }
  if (highest === undefined) {
    throw unsupported(
      `could not find a highest supported version from versions ([${versions.join(' ')}]) reported: ${problem}`,
    );
  }
  if (highest[0] !== 1) throw unsupported(`highest supported version reported is ${highest.join('.')}, must be v1.x`);
  return highest.join('.');
}

/** True when `left` is lower; both as {@link highestSupportedVersion} returns them. */
export function isLowerVersion(left: string, right: string): boolean {
  return compare(left.split('.').map(Number), right.split('.').map(Number)) < 0;
}

/** The numbers of a version, or what is wrong with it. Source: as above, ParseGeneric. */
function componentsOf(text: string): readonly number[] | string {
  const numbers = /^\s*v?(\d+(?:\.\d+)*)/.exec(text)?.[1];
  if (numbers === undefined) return `could not parse ${JSON.stringify(text)} as version`;
  const components = numbers.split('.');
  const [major = ''] = components;
  if (components.length < 2) return `illegal version string ${JSON.stringify(text)}`;
  if (major.startsWith('0') && major !== '0')
    return `illegal zero-prefixed version component ${JSON.stringify(major)} in ${JSON.stringify(text)}`;
  return components.map(Number);
}

// A missing number counts as 0.
function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function unsupported(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}
