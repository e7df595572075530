import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { KubeletError } from '@podwright/errors';
import { isAtOrBelow } from './is-at-or-below.js';

/** One line of /proc/self/mountinfo. */
export interface MountEntry {
  readonly id: number;
  readonly parentId: number;
  /** `major:minor`. */
  readonly device: string;
  /** The mounted directory, as a path in its file system. */
  readonly root: string;
  readonly mountPoint: string;
  readonly options: readonly string[];
  /** Such as `shared:1`. */
  readonly propagation: readonly string[];
  readonly fsType: string;
  readonly source: string;
  readonly superOptions: readonly string[];
}

/**
 * The mounts that this process sees, in the kernel's order: a later mount on the same path covers an earlier one. Touches
 * none of them.
 */
export async function readMountTable(path = '/proc/self/mountinfo'): Promise<readonly MountEntry[]> {
  const read = (): Promise<string> => readFile(path, 'utf8');
  return parseMountTable(await (listsAtOnce(release()) ? read() : readTwice(path, read)));
}

/** Since Linux 5.8 a list that is read in parts while mounts change misses no entry that stays. */
export function listsAtOnce(kernelRelease: string): boolean {
  const [major = 0, minor = 0] = kernelRelease.split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 8);
}

const mostReads = 10;

/**
 * Reads until two texts in a row are the same. Source: kubernetes v1.36 mount-utils/mount_helper_unix.go,
 * k8s.io/utils/io ConsistentRead.
 */
export async function readTwice(path: string, read: () => Promise<string>): Promise<string> {
  let last = await read();
  for (let reads = 1; reads < mostReads; reads++) {
    const text = await read();
    if (text === last) return text;
    last = text;
  }
  throw new KubeletError(`could not get consistent content of ${path} after ${mostReads} attempts`, {
    code: 'unavailable',
    reason: 'inconsistent read',
  });
}

/** Parses the text of /proc/self/mountinfo; skips malformed lines. */
export function parseMountTable(text: string): readonly MountEntry[] {
  return text.split('\n').flatMap((line) => parseEntry(line) ?? []);
}

/** Mounts on or below the paths, in the order in which to unmount them. Paths must be absolute and without links. */
export function mountsBelow(table: readonly MountEntry[], ...paths: readonly string[]): readonly MountEntry[] {
  return table.filter(({ mountPoint }) => paths.some((path) => isAtOrBelow(mountPoint, path))).reverse();
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

/** Splits at commas, except within double quotes (SELinux contexts). */
function splitOptions(text: string): readonly string[] {
  if (!text.includes('"')) return text.split(',').filter((option) => option !== '');
  return text.match(/(?:[^,"]|"[^"]*")+/g) ?? [];
}

/** The kernel escapes space, tab, newline and backslash as three octal digits. */
function unescapeOctal(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const plain = bytes.replace(/\\([0-7]{3})/g, (_match, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return Buffer.from(plain, 'latin1').toString('utf8');
}
