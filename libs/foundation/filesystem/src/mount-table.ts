import { readFile } from 'node:fs/promises';

/** One line of /proc/self/mountinfo. */
export interface MountEntry {
  readonly id: number;
  readonly parentId: number;
  /** `major:minor`. */
  readonly device: string;
  /** Path within the file system that is mounted. */
  readonly root: string;
  readonly mountPoint: string;
  readonly options: readonly string[];
  /** Such as `shared:1`. */
  readonly propagation: readonly string[];
  readonly fsType: string;
  readonly source: string;
  readonly superOptions: readonly string[];
}

/** The mounts that this process sees, in the kernel's order: of two on one path the later one covers the earlier. */
export async function readMountTable(path = '/proc/self/mountinfo'): Promise<readonly MountEntry[]> {
  return parseMountTable(await readFile(path, 'utf8'));
}

/** Lines that are no mountinfo are left out. */
export function parseMountTable(text: string): readonly MountEntry[] {
  return text.split('\n').flatMap((line) => parseEntry(line) ?? []);
}

/** Mounts on `path` itself or below it, those that must go first in front. `path` must be absolute and free of links. */
export function mountsBelow(table: readonly MountEntry[], path: string): readonly MountEntry[] {
  const prefix = path.endsWith('/') ? path : `${path}/`;
  return table.filter(({ mountPoint }) => mountPoint === path || mountPoint.startsWith(prefix)).reverse();
}

function parseEntry(line: string): MountEntry | undefined {
  const fields = line.split(' ');
  const dash = fields.indexOf('-', 6);
  if (dash < 0 || fields.length < dash + 4) return undefined;
  const [id, parentId, device, root, mountPoint, options] = fields as [string, string, string, string, string, string];
  const [fsType, source, superOptions] = fields.slice(dash + 1) as [string, string, string];
  return {
    id: Number(id),
    parentId: Number(parentId),
    device,
    root: unescapeOctal(root),
    mountPoint: unescapeOctal(mountPoint),
    options: splitOptions(options),
    propagation: fields.slice(6, dash),
    fsType,
    source: unescapeOctal(source),
    superOptions: splitOptions(superOptions),
  };
}

/** Commas within double quotes (SELinux contexts) do not separate. */
function splitOptions(text: string): readonly string[] {
  if (!text.includes('"')) return text.split(',').filter((option) => option !== '');
  return text.match(/(?:[^,"]|"[^"]*")+/g) ?? [];
}

/** The kernel writes blank, tab, newline and backslash as three octal digits. */
function unescapeOctal(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const plain = bytes.replace(/\\([0-7]{3})/g, (_match, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return Buffer.from(plain, 'latin1').toString('utf8');
}
