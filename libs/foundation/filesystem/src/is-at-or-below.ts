import { sep } from 'node:path';

/** Whether a path is `base` or below it. Both are absolute and without links. */
export function isAtOrBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(base.endsWith(sep) ? base : `${base}${sep}`);
}
