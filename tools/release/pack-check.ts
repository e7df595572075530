import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPackages, packPackages, publishedPackages } from '../build/packages.js';
import type { Tarball } from '../build/packages.js';
import type { WorkspacePackage } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { run, runNode } from '../workspace/run-node.js';
import { makeRelease } from './make-release.js';
import { inOrderOfNeed } from './publish.js';
import { releaseFaults } from './release-faults.js';
import { installAlone, notRun, placeExample, writeExamples, type ExamplePage } from './examples.js';

/** Result of one check: what was checked, and what was wrong when it failed. */
export interface PackCheck {
  readonly name: string;
  readonly fault?: string;
}

/**
 * Builds and packs every package, installs the tarballs into an empty folder outside the workspace, and uses them as an
 * outside user would: TypeScript reads all types and compiles all examples; then plain Node imports the entries of each
 * package and runs the examples of its README, in a folder where only this package is installed.
 */
export async function packCheck(): Promise<PackCheck[]> {
  const packages = publishedPackages();
  const folder = mkdtempSync(path.join(tmpdir(), 'podwright-packages-'));
  try {
    const built = await buildPackages();
    if (built.code !== 0) return [{ name: 'build', fault: built.output }];
    const strangers = unknownPackages(packages);
    if (strangers.length > 0) return [{ name: 'own dependencies', fault: strangers.join('\n') }];
    const release = path.join(folder, 'release');
    const tarballs = await packPackages(packages, path.join(release, 'packages'));
    const consumer = path.join(folder, 'consumer');
    const installed = await install(consumer, tarballs);
    const checks: PackCheck[] = [{ name: 'build' }, await checkPapers(release, packages, tarballs), installed];
    if (installed.fault !== undefined) return checks;
    const unlicensed = packages.filter(
      ({ name }) => !existsSync(path.join(consumer, 'node_modules', name, 'dist/LICENSE')),
    );
    const fault = unlicensed.map(({ name }) => `${name} has no dist/LICENSE`).join('\n');
    checks.push({ name: 'text of the licence in every tarball', ...(fault === '' ? {} : { fault }) });
    const pages = writeExamples(path.join(consumer, 'examples'));
    checks.push(await compileTypes(consumer, packages, pages));
    checks.push(...(await usePackages(consumer, packages, pages)));
    checks.push(await runSuites(consumer, pages));
    return checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the release of these tarballs and checks it as its receiver would. */
async function checkPapers(
  release: string,
  packages: readonly WorkspacePackage[],
  tarballs: readonly Tarball[],
): Promise<PackCheck> {
  const made = await makeRelease(release, packages, tarballs);
  const faults = await releaseFaults(made, packages);
  const order = inOrderOfNeed(packages, tarballs, made.lock);
  if (order.length !== packages.length)
    faults.push(`${order.length} of ${packages.length} packages would be published`);
  const name = `bill of materials, provenance and checksums of ${made.artefacts.length} files`;
  return { name, ...(faults.length === 0 ? {} : { fault: faults.join('\n') }) };
}

/** Names in our scope that no package has: npm would ask a registry for them and might install a foreign package. */
function unknownPackages(packages: readonly WorkspacePackage[]): string[] {
  const names = new Set(packages.map(({ name }) => name));
  return packages.flatMap(({ folder, manifest }) =>
    Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
      .filter((dependency) => dependency.startsWith('@podwright/') && !names.has(dependency))
      .map((dependency) => `${folder}: ${dependency} is not a published package of this workspace`),
  );
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly link?: boolean; readonly resolved?: string }>>;
}

/**
 * Installs the tarballs. The lock file pins third-party packages at the workspace's versions, so that npm finds them in
 * its cache by checksum without a registry.
 */
async function install(consumer: string, tarballs: readonly Tarball[]): Promise<PackCheck> {
  cpSync(path.join(repositoryRoot, 'tools/release/consumer'), consumer, { recursive: true });
  const lock = JSON.parse(readFileSync(path.join(repositoryRoot, 'package-lock.json'), 'utf8')) as LockFile;
  const thirdParty = Object.entries(lock.packages).filter(
    ([location, { link }]) => location.startsWith('node_modules/') && link !== true,
  );
  const root = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const tools = ['@types/node', '@jest/globals', 'typescript-native'];
  const manifest = {
    name: 'consumer',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`])),
    devDependencies: Object.fromEntries(tools.map((name) => [name, root.devDependencies[name] ?? '*'])),
  };
  writeFileSync(path.join(consumer, 'package.json'), JSON.stringify(manifest, undefined, 2));
  writeFileSync(
    path.join(consumer, 'package-lock.json'),
    JSON.stringify({
      name: 'consumer',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'consumer', version: '1.0.0' }, ...Object.fromEntries(thirdParty) },
    }),
  );
  const args = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await run('npm', [...args, '--fetch-retries=1'], { cwd: consumer });
  return { name: 'install of all tarballs', ...(code === 0 ? {} : { fault: output }) };
}

/** Entry points that plain Node can load; contract suites load only inside jest. */
function entriesOf({ name, manifest }: WorkspacePackage): string[] {
  return Object.keys(manifest.exports ?? {}).map((entry) => name + entry.slice(1));
}

/** Uses each package in a folder where only it and what its README installs are present, two at a time. */
async function usePackages(
  consumer: string,
  packages: readonly WorkspacePackage[],
  pages: readonly ExamplePage[],
): Promise<PackCheck[]> {
  const tasks = pages.filter(({ page, files }) => page.startsWith('docs/') && files.length > 0);
  const uses = [
    ...packages.map((pkg) => ({
      name: `use of ${pkg.name} alone`,
      entries: entriesOf(pkg).filter((entry) => !entry.endsWith('/contract')),
      installs: [pkg.name],
      page: pages.find(({ page }) => page === `${pkg.folder}/README.md`),
    })),
    ...tasks.map((page) => ({ name: `example of ${page.page}`, entries: [], installs: [], page })),
  ];
  const queue = [...uses.entries()];
  const checks: PackCheck[] = [];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, { name, entries, installs, page }] = next;
      const folder = path.join(path.dirname(consumer), `${index}`);
      installAlone(folder, [...installs, ...(page?.installs ?? [])], consumer);
      const runs = page !== undefined && !page.suite && !(page.page in notRun) ? page.files : [];
      const files = runs.map((file) => placeExample(path.join(consumer, 'js/examples', `${file}.js`), folder));
      const script = placeExample(path.join(consumer, 'use-package.mjs'), folder);
      const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
      const args = [...flags, script, ...entries, '--', ...files];
      const { code, output } = await runNode(args, { cwd: folder, timeoutMs: 300_000 });
      const reason = page === undefined ? undefined : notRun[page.page];
      const shown = reason === undefined ? name : `${name} (its example is not run: ${reason})`;
      checks.push({ name: shown, ...(code === 0 ? {} : { fault: output }) });
    }
  };
  await Promise.all([work(), work()]);
  return checks;
}

/** Runs the contract suites of the pages as their readers do: ES modules in jest. */
async function runSuites(consumer: string, pages: readonly ExamplePage[]): Promise<PackCheck> {
  const folder = path.join(consumer, 'suites');
  mkdirSync(folder);
  const files = pages.filter(({ suite, page }) => suite && !(page in notRun)).flatMap((page) => page.files);
  for (const file of files)
    cpSync(path.join(consumer, 'js/examples', `${file}.js`), path.join(folder, `${file}.test.js`));
  const jest = path.join(repositoryRoot, 'node_modules/jest/bin/jest.js');
  const config = JSON.stringify({ roots: [folder], transform: {}, testMatch: ['**/*.test.js'] });
  const args = ['--experimental-vm-modules', jest, '--rootDir', consumer, '--config', config, '--ci'];
  const { code, output } = await runNode(args, { cwd: consumer, timeoutMs: 300_000 });
  return { name: `contract suites of ${files.length} pages in jest`, ...(code === 0 ? {} : { fault: output }) };
}

async function compileTypes(
  consumer: string,
  packages: readonly WorkspacePackage[],
  pages: readonly ExamplePage[],
): Promise<PackCheck> {
  const imports = packages
    .flatMap(entriesOf)
    .map((specifier, index) => `import * as entry${index} from '${specifier}';\nvoid entry${index};\n`);
  writeFileSync(path.join(consumer, 'all-entries.ts'), imports.join(''));
  const { code, output } = await runNode(['node_modules/typescript-native/bin/tsc', '--pretty', 'false'], {
    cwd: consumer,
  });
  // skipLibCheck is off, so that our declarations are checked; faults in third-party ones are ignored.
  const ours = output
    .split('\n')
    .filter(
      (line) => /^(all-entries\.ts|examples\/|node_modules\/@podwright\/)/.test(line) || line.startsWith('error'),
    );
  const name = `types of all entries and ${pages.length} pages with examples under moduleResolution nodenext`;
  return { name, ...(code === 0 || ours.length === 0 ? {} : { fault: ours.join('\n') }) };
}
