import { readdir, type FileHandle } from 'node:fs/promises';
import { handlePath } from '@podwright/contained-path';
import { escapeHtml } from '@podwright/http-answer';

/** Links to the entries of a directory, sorted by name. Source: Go net/http/fs.go (dirList). */
export async function directoryListing(handle: FileHandle): Promise<string> {
  // By the handle, because the path may lead elsewhere by now.
  const entries = await readdir(handlePath(handle), { withFileTypes: true });
  const lines = entries
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort((a, b) => (stem(a) < stem(b) ? -1 : 1))
    .map((name) => `<a href="${reference(name)}">${escapeHtml(name)}</a>\n`);
  return `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join('')}</pre>\n`;
}

const stem = (name: string): string => name.replace(/\/$/, '');

// Percent-encodes quotes and brackets; a colon in the first element would make it a scheme.
const reference = (name: string): string => {
  const escaped = encodeURIComponent(name)
    .replace(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return escaped.split('/')[0]?.includes(':') === true ? `./${escaped}` : escaped;
};
