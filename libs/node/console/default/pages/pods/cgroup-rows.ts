import type { CgroupRow } from '@podwright/console-interface';

export interface ShownCgroup {
  readonly group: CgroupRow;
  /** The last part of its path. */
  readonly name: string;
  readonly depth: number;
  /** Whether its children are shown; undefined without children. */
  readonly open: boolean | undefined;
}

/**
 * The groups whose ancestors are all open. Those above `openDepth` are open, the others closed; `turned` names those that
 * somebody turned.
 */
export function shownCgroups(
  groups: readonly CgroupRow[],
  turned: ReadonlySet<string>,
  openDepth: number,
): readonly ShownCgroup[] {
  const children = new Map<string, CgroupRow[]>();
  const known = new Set(groups.map(({ path }) => path));
  const roots: CgroupRow[] = [];
  for (const group of groups) {
    const parent = parentOf(group.path, known);
    const siblings = parent === undefined ? roots : (children.get(parent) ?? []);
    siblings.push(group);
    if (parent !== undefined) children.set(parent, siblings);
  }
  const shown: ShownCgroup[] = [];
  const visit = (group: CgroupRow, depth: number, above: string): void => {
    const below = children.get(group.path) ?? [];
    const open = below.length === 0 ? undefined : depth < openDepth !== turned.has(group.path);
    shown.push({ group, name: nameOf(group.path, above), depth, open });
    if (open === true) for (const child of below) visit(child, depth + 1, group.path);
  };
  for (const root of roots) visit(root, 0, '');
  return shown;
}

/** The nearest ancestor that is listed. */
function parentOf(path: string, known: ReadonlySet<string>): string | undefined {
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
    const parent = end === 0 ? '/' : path.slice(0, end);
    if (parent !== path && known.has(parent)) return parent;
    if (end === 0) break;
  }
  return undefined;
}

const nameOf = (path: string, above: string): string =>
  path === '/' ? '/' : above === '' ? path : path.slice(above === '/' ? 1 : above.length + 1);
