import { createHash } from 'node:crypto';

/** A file name has at most 255 bytes; what is left over is for the marks of files that are being written or set aside. */
const longestBytes = 200;

const suffix = '.json';

/**
 * The file of an object in the folder of its kind: `<namespace>_<name>.json`. No valid name has `_` or `~`, so two
 * objects never share a file. A long name is cut and gets its hash; other characters than those of valid names are
 * written as `%XX`, so that no name leaves the folder or hides in it.
 */
export function objectFileName(namespace: string, name: string): string {
  const plain = `${encoded(namespace)}_${encoded(name)}`;
  if (plain.length <= longestBytes) return plain + suffix;
  const hash = createHash('sha256').update(plain).digest('hex');
  return `${plain.slice(0, longestBytes - hash.length - 1)}~${hash}${suffix}`;
}

const encoded = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^a-z0-9.-]|^\./g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The name under which the file of a transaction is written, before the transaction counts. */
export const stagedName = (fileName: string, version: number): string => `.${fileName}.${version}`;

/** What a name in a folder of objects means. */
export function kindOfFile(name: string): 'object' | 'staged' | 'set aside' | 'foreign' {
  if (/^\..+\.json\.\d+$/s.test(name)) return 'staged';
  if (name.startsWith('.')) return 'foreign';
  if (name.endsWith(suffix)) return 'object';
  return name.endsWith(`${suffix}${setAsideMark}`) ? 'set aside' : 'foreign';
}

/** Ends the name of a file that cannot be used. */
export const setAsideMark = '.corrupt';
