import { readdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';

/** Spec files with this ending, relative to the repository. */
export function specFiles(ending: string): string[] {
  return ['apps', 'libs', 'tools', 'examples'].flatMap((folder) => specsBelow(folder, ending));
}

function specsBelow(folder: string, ending: string): string[] {
  const absolute = path.join(repositoryRoot, folder);
  let entries;
  try {
    entries = readdirSync(absolute, { withFileTypes: true });
  } catch {
    return []; // the folder does not exist
  }
  return entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'fixtures'].includes(entry.name) ? [] : specsBelow(file, ending);
    }
    return file.endsWith(ending) ? [file] : [];
  });
}
