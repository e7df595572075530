// npm run release: see usage.txt. `pack-check` runs the checks of the tier `packages` alone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages, packPackages, publishedPackages } from '../build/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { previewVersions, writeVersions, type VersionsText } from './next-versions.js';
import { makeRelease } from './make-release.js';
import { packCheck } from './pack-check.js';
import { npmCanSign } from './provenance.js';
import { checkoutState, inOrderOfNeed, publish } from './publish.js';
import { changeRefusals, publishRefusals } from './publish-refusals.js';
import { releaseFaults } from './release-faults.js';

const verb = readVerb();
try {
  if (verb === 'pack-check') await checkPackages();
  else if (verb === 'prepare') await prepare();
  else await release(verb === 'dry-run');
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function prepare(): Promise<void> {
  const refusals = changeRefusals((await checkoutState()).changes);
  if (refusals.length > 0) throw new Error(`nothing is written: ${refusals.join('\n')}`);
  console.log((await writeVersions()).summary);
}

async function release(dry: boolean): Promise<void> {
  const refusals = publishRefusals(await checkoutState());
  if (refusals.length > 0)
    console.error(`${dry ? '--publish would refuse' : 'not published'}:\n${refusals.join('\n')}\n`);
  if (!dry && refusals.length > 0) return void (process.exitCode = 1);
  const folder = path.join(repositoryRoot, 'dist/release');
  rmSync(folder, { recursive: true, force: true });
  if (dry) showNextVersions(await previewVersions(), path.join(folder, 'next-versions.txt'));
  const packages = publishedPackages();
  console.log(`building ${packages.length} packages ...`);
  const built = await buildPackages();
  if (built.code !== 0) throw new Error(built.output);
  const tarballs = await packPackages(packages, path.join(folder, 'packages'));
  const made = await makeRelease(folder, packages, tarballs);
  const faults = await releaseFaults(made, packages);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  console.log(`${made.artefacts.length} files, ${made.bom.components.length} components: ${folder}`);
  const versions = new Map(packages.map(({ name, manifest }) => [name, manifest.version]));
  const ordered = inOrderOfNeed(packages, tarballs, made.lock);
  const signed = npmCanSign(process.env) ? 'with' : 'without';
  console.log(`${ordered.length} packages to publish, ${signed} a signed provenance of npm`);
  if (!dry) await publish(ordered, versions, console.log);
}

function showNextVersions({ summary, whole }: VersionsText, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, whole);
  console.log(`the next versions (their change logs are in ${file}):\n${summary}\n`);
}

async function checkPackages(): Promise<void> {
  const checks = await packCheck();
  for (const { name, fault } of checks)
    console.log(fault === undefined ? `ok      ${name}` : `FAILED  ${name}\n${fault}`);
  process.exitCode = checks.some(({ fault }) => fault !== undefined) ? 1 : 0;
}

function readVerb(): 'dry-run' | 'prepare' | 'publish' | 'pack-check' {
  const usage = readFileSync(path.join(repositoryRoot, 'tools/release/usage.txt'), 'utf8');
  const verbs = ['dry-run', 'prepare', 'publish', 'pack-check'] as const;
  const options = Object.fromEntries(verbs.map((name) => [name, { type: 'boolean' as const }]));
  try {
    const { values } = parseArgs({ options });
    const chosen = verbs.filter((name) => values[name] === true);
    if (chosen.length === 1 && chosen[0] !== undefined) return chosen[0];
    throw new Error(chosen.length === 0 ? 'say what to do' : `--${chosen.join(' and --')} cannot be used together`);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}
