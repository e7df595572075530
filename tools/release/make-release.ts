import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { executableFile } from '../build/executable.js';
import { nodeInside, singleExecutableFile } from '../build/single-executable.js';
import type { Tarball } from '../build/packages.js';
import { nodeArchitectures } from '../node/node-pins.js';
import type { WorkspacePackage } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { run } from '../workspace/run-node.js';
import { addArtefact, readArtefact, type Artefact } from './artefact.js';
import { bundledPackages } from '../build/bundled-packages.js';
import type { LockedPackages } from './lock-tree.js';
import { builderOf, provenanceStatement } from './provenance.js';
import { billOfMaterials, type Bom, type ReleasedProgram } from './sbom.js';

export interface Release {
  readonly folder: string;
  readonly artefacts: readonly Artefact[];
  readonly bom: Bom;
  readonly lock: LockedPackages;
}

export const releaseFiles = { bom: 'sbom.cdx.json', provenance: 'provenance.intoto.json', sums: 'SHA256SUMS' } as const;

/**
 * Puts a release together in `folder`: the tarballs, the programs that `dist` has (`npm run build` makes them, with
 * options), and their papers: the bill of materials, the provenance and the checksums.
 */
export async function makeRelease(
  folder: string,
  packages: readonly WorkspacePackage[],
  tarballs: readonly Tarball[],
): Promise<Release> {
  const startedOn = new Date().toISOString();
  mkdirSync(folder, { recursive: true });
  const lockFile = path.join(repositoryRoot, 'package-lock.json');
  const lock = (JSON.parse(readFileSync(lockFile, 'utf8')) as { readonly packages: LockedPackages }).packages;
  const packed = await Promise.all(
    tarballs.map(async ({ name, file }) => ({
      name,
      artefact: await addArtefact(folder, `packages/${path.basename(file)}`, file),
    })),
  );
  const programs = await releasedPrograms(folder, packages);
  const commit = await git('rev-parse', 'HEAD');
  const bom = billOfMaterials({
    lock,
    packages,
    tarballs: new Map(packed.map(({ name, artefact }) => [name, artefact])),
    programs,
    timestamp: new Date(Number(await git('log', '-1', '--format=%ct')) * 1000).toISOString(),
  });
  const bomFile = path.join(folder, releaseFiles.bom);
  writeFileSync(bomFile, `${JSON.stringify(bom, undefined, 2)}\n`);
  const artefacts = [
    ...packed.map(({ artefact }) => artefact),
    ...programs.map(({ artefact }) => artefact),
    await readArtefact(releaseFiles.bom, bomFile),
  ];
  const repository = await git('remote', 'get-url', 'origin').catch(() => undefined);
  const nodes = programs.flatMap(({ node }) => (node === undefined ? [] : [node]));
  const statement = provenanceStatement(artefacts, {
    commit,
    ...(repository === undefined ? {} : { repository: withoutCredentials(repository) }),
    builder: builderOf(process.env),
    nodeVersion: process.version,
    platform: `${process.platform}-${process.arch}`,
    startedOn,
    finishedOn: new Date().toISOString(),
    materials: [
      { name: 'package-lock.json', digest: { sha256: (await readArtefact('', lockFile)).sha256 } },
      ...nodes.map(({ npmPackage, version, integrity }) => ({
        name: `${npmPackage}@${version}`,
        digest: { sha512: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
      })),
    ],
  });
  const provenanceFile = path.join(folder, releaseFiles.provenance);
  writeFileSync(provenanceFile, `${JSON.stringify(statement, undefined, 2)}\n`);
  const all = [...artefacts, await readArtefact(releaseFiles.provenance, provenanceFile)];
  writeFileSync(path.join(folder, releaseFiles.sums), all.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  return { folder, artefacts: all, bom, lock };
}

/** The programs that `dist` has: for the machine's Node.js, with one inside, and as Debian packages. */
async function releasedPrograms(
  release: string,
  packages: readonly WorkspacePackage[],
): Promise<readonly ReleasedProgram[]> {
  const programs: ReleasedProgram[] = [];
  for (const { folder, manifest } of packages.filter(({ type }) => type === 'app')) {
    const app = path.basename(folder);
    const found = [
      { file: executableFile(app), name: `programs/${app}` },
      ...nodeArchitectures.map((architecture) => ({
        file: singleExecutableFile(app, architecture),
        name: `programs/linux-${architecture}/${app}`,
        node: {
          version: nodeInside.version,
          npmPackage: `node-linux-${architecture}`,
          integrity: nodeInside.integrity[architecture],
        },
      })),
    ].filter(({ file }) => existsSync(file));
    if (found.length === 0) continue;
    const bundled = await bundledPackages(app);
    for (const { file, name, ...node } of found) {
      programs.push({ artefact: await addArtefact(release, name, file), version: manifest.version, bundled, ...node });
    }
  }
  const kubelet = programs.find(({ node }) => node !== undefined) ?? programs[0];
  const folder = path.join(repositoryRoot, 'dist/deb');
  const debs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.deb')) : [];
  for (const name of debs.sort()) {
    if (kubelet === undefined) throw new Error(`dist/deb has ${name}, but dist has no program that could be inside`);
    programs.push({ ...kubelet, artefact: await addArtefact(release, `deb/${name}`, path.join(folder, name)) });
  }
  return programs;
}

export async function git(...args: readonly string[]): Promise<string> {
  const { code, output } = await run('git', args);
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${output.trim()}`);
  return output.trim();
}

const withoutCredentials = (address: string): string => address.replace(/\/\/[^/@]*@/, '//');
