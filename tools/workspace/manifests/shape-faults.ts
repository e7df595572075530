import { packageTypes } from '../packages.js';
import type { WorkspacePackage } from '../packages.js';

/** Reads a file of the package; undefined when it does not exist. */
export type ReadFile = (name: string) => string | undefined;

/** Faults apart from dependencies: missing fields that npm users rely on, and missing files. */
export function shapeFaults(pkg: WorkspacePackage, read: ReadFile): string[] {
  return [...manifestFaults(pkg, read), ...fileFaults(pkg, read)];
}

function manifestFaults({ name, folder, type, manifest }: WorkspacePackage, read: ReadFile): string[] {
  const faults: string[] = [];
  const expect = (condition: boolean, fault: string): void => void (condition || faults.push(fault));
  const expectedName = nameFromFolder(folder);
  expect(name === expectedName, `name must be ${expectedName}, from its folder`);
  expect(type !== undefined && packageTypes.includes(type), `podwright.type must be one of ${packageTypes.join(', ')}`);
  expect(/^\d+\.\d+\.\d+/.test(manifest.version ?? ''), 'version is missing');
  expect((manifest.description ?? '') !== '', 'description is missing');
  expect(manifest.license === 'Apache-2.0', 'license must be Apache-2.0');
  expect(manifest.type === 'module', 'type must be module');
  expect(manifest.engines?.node === '>=20.19', 'engines.node must be >=20.19');
  for (const file of ['dist', 'README.md', 'CHANGELOG.md']) {
    expect(manifest.files?.includes(file) === true, `files must name ${file}`);
  }
  const entries = Object.entries(manifest.exports ?? {});
  expect(entries.length > 0 || manifest.bin !== undefined, 'exports is missing');
  for (const [program, file] of Object.entries(manifest.bin ?? {})) {
    // npm publishes the package without a program whose path it does not like.
    expect(/^[\w-]+\//.test(file), `bin["${program}"]: "${file}" must be a path without ./`);
  }
  for (const [entry, conditions] of entries) {
    if (typeof conditions === 'string') continue; // a plain file, such as ./package.json
    const source = conditions['podwright-source'] ?? '';
    expect(read(source) !== undefined, `exports["${entry}"]: podwright-source "${source}" does not exist`);
    const output = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '');
    expect(conditions['types'] === `${output}.d.ts`, `exports["${entry}"]: types must be ${output}.d.ts`);
    expect(conditions['default'] === `${output}.js`, `exports["${entry}"]: default must be ${output}.js`);
    const order = Object.keys(conditions).join(', ');
    expect(order === 'podwright-source, types, default', `exports["${entry}"]: conditions are in the order ${order}`);
  }
  if (manifest.peerDependencies?.['@jest/globals'] !== undefined) {
    const optional = manifest.peerDependenciesMeta?.['@jest/globals']?.optional === true;
    expect(optional, '@jest/globals must be an optional peer');
  }
  return faults;
}

function fileFaults({ type }: WorkspacePackage, read: ReadFile): string[] {
  const faults: string[] = [];
  for (const file of ['README.md', 'CHANGELOG.md', 'tsconfig.json']) {
    if ((read(file) ?? '').trim() === '') faults.push(`${file} is missing or empty`);
  }
  if (read('tsconfig.json')?.includes('"src/**/fixtures/**"') !== true) {
    faults.push('tsconfig.json must exclude src/**/fixtures/**: what serves specs is not published');
  }
  const readme = read('README.md') ?? '';
  const firstParagraph = readme.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  if (readme !== '' && type === 'interface' && !/^implement this/i.test(firstParagraph)) {
    faults.push('README.md of an interface package starts with "Implement this"');
  }
  return faults;
}

function nameFromFolder(folder: string): string {
  const [last = '', manager = ''] = folder.split('/').reverse();
  if (last === 'interface') return `@podwright/${manager}-interface`;
  return `@podwright/${last === 'default' ? manager : last}`;
}
