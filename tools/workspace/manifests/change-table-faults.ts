import { existsSync } from 'node:fs';
import path from 'node:path';
import type { WorkspacePackage } from '../packages.js';
import { changedPlaces } from '../readme-examples/changed-places.js';
import { repositoryRoot } from '../repository-root.js';

/**
 * Faults of the "Where to change what" table: every implementation's README must have one, and the files that any
 * README names there must exist.
 */
export function changeTableFaults({ folder, type }: WorkspacePackage, readme: string): string[] {
  const places = changedPlaces(readme, folder);
  if (type === 'impl' && places.length === 0) {
    return [
      'README.md of an implementation needs "## Where to change what", a table that names a file for each behaviour',
    ];
  }
  return places
    .filter((place) => !existsSync(path.join(repositoryRoot, place)))
    .map((place) => `README.md, "Where to change what": there is no ${place}`);
}
