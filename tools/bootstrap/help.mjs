import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './install.mjs';

/**
 * The text that `--help` of a tool asks for, from the file usage.txt beside its entry: nobody has to install anything to read
 * it. Undefined when it is not asked for, or when the tool has no such file and answers by itself.
 */
export function helpOf(entry, args) {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  if (!own.includes('--help') && !own.includes('-h')) return undefined;
  const file = path.join(path.dirname(path.resolve(repositoryRoot, entry)), 'usage.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
