import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { WorkspacePackage } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { readArtefact } from './artefact.js';
import { releaseFiles, type Release } from './make-release.js';

/** What is wrong with the papers of a release. Reads the files again, as somebody does who received them. */
export async function releaseFaults(release: Release, packages: readonly WorkspacePackage[]): Promise<string[]> {
  return [...schemaFaults(release), ...missingComponents(release, packages), ...(await digestFaults(release))];
}

function schemaFaults({ folder }: Release): string[] {
  const validate = (validateBom ??= bomSchema());
  if (validate(readJson(path.join(folder, releaseFiles.bom)))) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${releaseFiles.bom}${instancePath} ${message ?? ''}`,
  );
}

// Compiling takes most of the time.
let validateBom: ValidateFunction | undefined;

function bomSchema(): ValidateFunction {
  const folder = path.join(repositoryRoot, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Internationalised forms, which the package above does not know. We write none.
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
  const schema = readJson(path.join(folder, 'bom-1.6.SNAPSHOT.schema.json'));
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    // Under the name by which the schema refers to it.
    const { $id: _, ...referred } = readJson(path.join(folder, name));
    ajv.addSchema(referred, new URL(name, String(schema['$id'])).href);
  }
  return ajv.compile(schema);
}

function missingComponents({ bom, lock }: Release, packages: readonly WorkspacePackage[]): string[] {
  const components = new Map(bom.components.map((component) => [component['bom-ref'], component]));
  const faults: string[] = [];
  const look = (name: string, version: string): void => {
    const component = components.get(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    if (component === undefined) return void faults.push(`${releaseFiles.bom} lacks ${name}@${version}`);
    if ((component.licenses ?? []).length === 0)
      faults.push(`${releaseFiles.bom} has no licence of ${name}@${version}`);
    if ((component.hashes ?? []).length === 0) faults.push(`${releaseFiles.bom} has no hash of ${name}@${version}`);
  };
  for (const { name, manifest } of packages) look(name, manifest.version);
  // npm's own mark of what only development needs: another way to the same set than the walk that made the document.
  // Optional packages have no such mark.
  for (const [location, { version, dev, devOptional, optional, link }] of Object.entries(lock)) {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(location) ?? [];
    if (name === undefined || link === true || dev === true || devOptional === true || optional === true) continue;
    look(name, version ?? '');
  }
  return faults;
}

async function digestFaults({ folder }: Release): Promise<string[]> {
  const { subject } = readJson(path.join(folder, releaseFiles.provenance)) as {
    readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  };
  const sums = readFileSync(path.join(folder, releaseFiles.sums), 'utf8').trim().split('\n');
  const claims = [
    ...subject.map(({ name, digest }) => ({ by: releaseFiles.provenance, name, sha256: digest.sha256 })),
    ...sums.map((line) => ({ by: releaseFiles.sums, name: line.slice(66), sha256: line.slice(0, 64) })),
  ];
  const faults = await Promise.all(
    claims.map(async ({ by, name, sha256 }) => {
      const found = await readArtefact(name, path.join(folder, name)).catch((error: unknown) => ({
        sha256: String(error),
      }));
      return found.sha256 === sha256 ? [] : [`${by} says that ${name} is ${sha256}; it is ${found.sha256}`];
    }),
  );
  return faults.flat();
}

const readJson = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
