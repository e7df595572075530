import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPackages, packPackages, publishedPackages } from '../build/packages.js';
import type { Tarball } from '../build/packages.js';
import type { WorkspacePackage } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { run, runNode } from '../workspace/run-node.js';

/** Result of one check: what was checked, and what was wrong when it failed. */
export interface PackCheck {
  readonly name: string;
  readonly fault?: string;
}

/**
 * Builds and packs every package, installs the tarballs into an empty folder outside the workspace, and uses them as an
 * outside user would: plain Node imports each entry in its own process, TypeScript reads all types.
 */
export async function packCheck(): Promise<PackCheck[]> {
  const packages = publishedPackages();
  const folder = mkdtempSync(path.join(tmpdir(), 'podwright-packages-'));
  try {
    const built = await buildPackages();
    if (built.code !== 0) return [{ name: 'build', fault: built.output.slice(built.output.indexOf('\n> nx run')) }];
    const strangers = unknownPackages(packages);
    if (strangers.length > 0) return [{ name: 'own dependencies', fault: strangers.join('\n') }];
    const tarballs = await packPackages(packages, path.join(folder, 'tarballs'));
    const consumer = path.join(folder, 'consumer');
    const installed = await install(consumer, tarballs);
    const checks: PackCheck[] = [{ name: 'build' }, installed];
    if (installed.fault !== undefined) return checks;
    checks.push(...(await importEntries(consumer, packages)), await compileTypes(consumer, packages));
    return checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
  const { code, output } = await run('npm', [...args, '--fetch-retries=1'], { cwd: consumer, timeoutMs: 180_000 });
  return { name: 'install of all tarballs', ...(code === 0 ? {} : { fault: output }) };
}

/** Entry points that plain Node can load; contract suites load only inside jest. */
function entriesOf({ name, manifest }: WorkspacePackage): string[] {
  return Object.keys(manifest.exports ?? {}).map((entry) => name + entry.slice(1));
}

async function importEntries(consumer: string, packages: readonly WorkspacePackage[]): Promise<PackCheck[]> {
  const specifiers = packages.flatMap(entriesOf).filter((entry) => !entry.endsWith('/contract'));
  const queue = [...specifiers];
  const checks: PackCheck[] = [];
  const work = async (): Promise<void> => {
    for (let specifier = queue.shift(); specifier !== undefined; specifier = queue.shift()) {
      const { code, output } = await runNode(['import-entry.mjs', specifier], { cwd: consumer, timeoutMs: 30_000 });
      checks.push({ name: `import of ${specifier}`, ...(code === 0 ? {} : { fault: output }) });
    }
  };
  await Promise.all([work(), work()]);
  return checks;
}

async function compileTypes(consumer: string, packages: readonly WorkspacePackage[]): Promise<PackCheck> {
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
    .filter((line) => /^(all-entries\.ts|node_modules\/@podwright\/)/.test(line) || line.startsWith('error'));
  const name = 'types of all entries under moduleResolution nodenext';
  return { name, ...(code === 0 || ours.length === 0 ? {} : { fault: ours.join('\n') }) };
}
