import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../../workspace/repository-root.js';

/** The terms of a package of npm that is inside an executable. */
export interface PackageTerms {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Text of its licence file. */
  readonly licenseText: string;
}

/**
 * The terms of the packages of npm at these locations of the lock file, by name. Rejects for a package without a licence
 * file, because its terms would be missing.
 */
export async function packageTerms(
  locations: readonly string[],
  root: string = repositoryRoot,
): Promise<readonly PackageTerms[]> {
  const installed = locations.filter((location) => location.includes('node_modules/'));
  const terms = await Promise.all(installed.map((location) => readTerms(path.join(root, location))));
  return terms.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readTerms(folder: string): Promise<PackageTerms> {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Omit<
    PackageTerms,
    'licenseText'
  >;
  const { name, version, license } = manifest;
  const file = (await readdir(folder)).sort().find((each) => /^licen[cs]e([.-]|$)/i.test(each));
  if (file === undefined || typeof license !== 'string')
    throw new Error(`${name} ${version} is bundled, but ${folder} has no licence file or names no license`);
  return { name, version, license, licenseText: await readFile(path.join(folder, file), 'utf8') };
}
