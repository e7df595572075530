import { KubeletError } from '@podwright/errors';
import type { Random } from '@podwright/time';
import type { SeLinux, SeLinuxLabels, SeLinuxOptions } from './selinux.js';

const parts = ['user', 'role', 'type', 'level'] as const;
type Context = Partial<Record<(typeof parts)[number], string>>;

// Categories are c0 to c1023.
const categories = 1024;

/**
 * Labels on a machine whose policy gives these to containers. Source: opencontainers/selinux v1.13
 * go-selinux/label InitLabels, go-selinux ContainerLabels.
 */
export function policyLabels(ofContainers: SeLinuxLabels, random: Random): SeLinux {
  return {
    enabled: true,
    labels: (options = {}) => {
      const asked = parts.filter((part) => (options[part] ?? '') !== '');
      if (asked.length === 0) return { process: '', file: '' };
      return withOptions(withCategories(ofContainers, random), asked, options);
    },
  };
}

function withOptions(base: SeLinuxLabels, asked: readonly (keyof Context)[], options: SeLinuxOptions): SeLinuxLabels {
  if (base.process === '') return base;
  const process = parse(base.process);
  const file = parse(base.file);
  for (const part of asked) {
    process[part] = options[part] ?? '';
    // Files keep the role and the type of the policy: those of processes are none of files.
    if (part === 'user' || part === 'level') file[part] = options[part] ?? '';
  }
  return { process: textOf(process), file: textOf(file) };
}

/** Both labels with the same random categories, where the policy's labels have a level. */
function withCategories({ process, file }: SeLinuxLabels, random: Random): SeLinuxLabels {
  if (process === '' || file === '') return { process: '', file };
  const own = parse(process);
  if ((own.level ?? '') === '') return { process, file };
  const level = randomLevel(random);
  return { process: textOf({ ...own, level }), file: textOf({ ...parse(file), level }) };
}

function randomLevel(random: Random): string {
  const first = Math.floor(random.next() * categories);
  // Two different ones: the second is chosen among the others.
  const other = Math.floor(random.next() * (categories - 1));
  const second = other < first ? other : other + 1;
  return `s0:c${Math.min(first, second)},c${Math.max(first, second)}`;
}

function parse(label: string): Context {
  const [user, role, type, ...level] = label.split(':');
  if (user === undefined || role === undefined || type === undefined) {
    throw new KubeletError(`invalid SELinux label ${JSON.stringify(label)}`, { code: 'invalid-argument' });
  }
  return level.length === 0 ? { user, role, type } : { user, role, type, level: level.join(':') };
}

function textOf(context: Context): string {
  return [context.user, context.role, context.type, ...((context.level ?? '') === '' ? [] : [context.level])].join(':');
}
