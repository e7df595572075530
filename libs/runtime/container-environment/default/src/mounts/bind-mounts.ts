import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { KubeletError } from '@podwright/errors';

/** The mounts that a sub path needs. */
export interface BindMounts {
  isMounted(target: string): Promise<boolean>;
  bind(source: string, target: string): Promise<void>;
  unmount(target: string): Promise<void>;
}

const run = promisify(execFile);
// A mount of a local directory is immediate; a dead network volume below it must not hold a start for ever.
const timeoutMs = 60_000;

/** Mounts by the host's `mount` and `umount`. */
export const hostBindMounts: BindMounts = {
  isMounted: async (target) => {
    const table = await readFile('/proc/self/mountinfo', 'utf8');
    return table.split('\n').some((line) => unescapeField(line.split(' ')[4] ?? '') === target);
  },
  bind: (source, target) => command('mount', ['--no-canonicalize', '-o', 'bind', source, target]),
  unmount: (target) => command('umount', [target]),
};

async function command(program: string, args: readonly string[]): Promise<void> {
  try {
    await run(program, args, { timeout: timeoutMs });
  } catch (error) {
    throw new KubeletError(`${program} ${args.join(' ')} failed`, { code: 'internal', cause: error });
  }
}

/** The kernel writes blanks and backslashes in paths as octal. */
function unescapeField(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
}
