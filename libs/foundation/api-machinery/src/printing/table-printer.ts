import type { ApiObject } from '../api-object.js';

export type Cell = string | number | boolean;

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  /** 1: only in the wide table (`-o wide`). */
  readonly priority: 0 | 1;
}

/** Prints the objects of one resource as rows of a table. */
export interface TablePrinter {
  readonly columns: readonly Column[];
  cells(object: ApiObject, nowMs: number): readonly Cell[];
  /** Row conditions: for a pod, that it has ended, which some clients hide. */
  conditions?(object: ApiObject): readonly unknown[];
}

/** Makes columns of `Name` or `Name:type` (default string), with `+` before those of the wide table. */
export function columns(...specs: readonly string[]): readonly Column[] {
  return specs.map((spec) => {
    const wide = spec.startsWith('+');
    const [name = '', type = 'string'] = spec.slice(wide ? 1 : 0).split(':');
    return { name, type, format: name === 'Name' ? 'name' : '', priority: wide ? 1 : 0 };
  });
}

export const none = '<none>';

/** `a=1,b=2`, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  return pairs.length === 0 ? none : pairs.map(([key, value]) => `${key}=${value}`).join(',');
}
