import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './install.mjs';

/**
 * The text for `--help` of a tool: usage.txt beside its entry, so that nothing must be installed to read it. Undefined
 * without `--help`, or when the tool has no such file and prints its own help.
 */
export function helpOf(entry, args) {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  if (!own.includes('--help') && !own.includes('-h')) return undefined;
  const file = path.join(path.dirname(path.resolve(repositoryRoot, entry)), 'usage.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
