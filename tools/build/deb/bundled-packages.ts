import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../../workspace/repository-root.js';

/** A package of npm that is inside an executable. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Text of its licence file. */
  readonly licenseText: string;
}

/**
 * The packages of npm that the inputs of a bundle come from, by name. `inputs` are paths relative to the repository, as
 * in esbuild's metafile. Rejects for a package without a licence file, because its terms would be missing.
 */
export async function bundledPackages(
  inputs: readonly string[],
  root: string = repositoryRoot,
): Promise<readonly BundledPackage[]> {
  const folders = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  const packages = await Promise.all([...folders].sort().map((folder) => readBundledPackage(path.join(root, folder))));
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readBundledPackage(folder: string): Promise<BundledPackage> {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Omit<
    BundledPackage,
    'licenseText'
  >;
  const { name, version, license } = manifest;
  const file = (await readdir(folder)).sort().find((each) => /^licen[cs]e([.-]|$)/i.test(each));
  if (file === undefined || typeof license !== 'string')
    throw new Error(`${name} ${version} is bundled, but ${folder} has no licence file or names no license`);
  return { name, version, license, licenseText: await readFile(path.join(folder, file), 'utf8') };
}
