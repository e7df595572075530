import { parseRegistryUrl, type RegistryUrl } from './registry-url.js';

/**
 * True when each part of the host matches, the ports are equal, and the image's path begins with the pattern's path.
 * `*` matches any characters within one part, `[a-c]` one of a set. A text that is not a URL matches nothing. Source:
 * kubernetes v1.36 pkg/credentialprovider/keyring.go URLsMatch.
 */
export function matchesRegistry(pattern: string, image: string): boolean {
  const [glob, target] = [parseRegistryUrl(pattern), parseRegistryUrl(image)];
  return !('fault' in glob) && !('fault' in target) && matchesUrl(glob, target);
}

function matchesUrl(pattern: RegistryUrl, image: RegistryUrl): boolean {
  if (pattern.port !== image.port || pattern.hostParts.length !== image.hostParts.length) return false;
  if (!image.path.startsWith(pattern.path)) return false;
  return pattern.hostParts.every((part, index) => matchesPart(part, image.hostParts[index] ?? ''));
}

type Piece = '*' | ((character: string) => boolean);

// Backtracks to the last `*` only: a regular expression could take exponential time for a hostile pattern.
function matchesPart(pattern: string, part: string): boolean {
  const pieces = piecesOf(pattern);
  if (pieces === undefined) return false;
  let [at, star, resume] = [0, -1, 0];
  for (let index = 0; index < part.length;) {
    const piece = pieces[at];
    if (piece === '*') {
      [star, resume] = [at, index];
      at += 1;
    } else if (piece?.(part.charAt(index)) === true) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else return false;
  }
  return pieces.slice(at).every((piece) => piece === '*');
}

/** Parses a glob as Go's filepath.Match does; undefined when it is malformed. There is never a `?`: it ends the URL. */
function piecesOf(pattern: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index);
    if (character === '*') pieces.push('*');
    else if (character === '[') {
      const end = pattern.indexOf(']', index + 2);
      const set = end < 0 ? undefined : characterSet(pattern.slice(index + 1, end));
      if (set === undefined) return undefined;
      pieces.push(set);
      index = end;
    } else pieces.push((other) => other === character);
  }
  return pieces;
}

function characterSet(text: string): ((character: string) => boolean) | undefined {
  const negated = text.startsWith('^');
  const members = negated ? text.slice(1) : text;
  const ranges: (readonly [low: string, high: string])[] = [];
  for (let index = 0; index < members.length; index += 1) {
    const low = members.charAt(index);
    if (low === '-') return undefined;
    if (members.charAt(index + 1) !== '-') ranges.push([low, low]);
    else if (index + 2 < members.length) {
      ranges.push([low, members.charAt(index + 2)]);
      index += 2;
    } else return undefined;
  }
  if (ranges.length === 0) return undefined;
  return (character) => ranges.some(([low, high]) => low <= character && character <= high) !== negated;
}
