import { createHash } from 'node:crypto';
import type { WorkspacePackage } from '../workspace/packages.js';
import type { Artefact } from './artefact.js';
import { closureOf, dependenciesOf, type LockedPackage, type LockedPackages } from './lock-tree.js';

/** What a release consists of. */
export interface ReleaseContents {
  readonly lock: LockedPackages;
  readonly packages: readonly WorkspacePackage[];
  /** The tarball of each package, by its name. */
  readonly tarballs: ReadonlyMap<string, Artefact>;
  readonly programs: readonly ReleasedProgram[];
  /** Time of the commit: the same sources give the same file. */
  readonly timestamp: string;
}

/** An executable file, or a package of an operating system with one inside. */
export interface ReleasedProgram {
  readonly artefact: Artefact;
  readonly version: string;
  /** Locations, as in the lock file, of the packages that are bundled in it. */
  readonly bundled: readonly string[];
  /** The Node.js inside; absent in a program that uses the machine's. */
  readonly node?: { readonly version: string; readonly npmPackage: string; readonly integrity: string };
}

/** A CycloneDX 1.6 document, as JSON. */
export interface Bom {
  readonly components: readonly BomComponent[];
  readonly [field: string]: unknown;
}
export interface BomComponent {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly [field: string]: unknown;
}

/**
 * The software bill of materials of a release: our packages and programs, every package of others that npm installs with
 * them or that is bundled in a program, and the Node.js inside. `npm sbom` names our packages after their folders and
 * leaves out what the workspace also uses for its own development, such as `yaml`.
 */
export function billOfMaterials({ lock, packages, tarballs, programs, timestamp }: ReleaseContents): Bom {
  const own = new Map(packages.map((pkg) => [pkg.folder, pkg]));
  const roots = [...packages.map(({ folder }) => folder), ...programs.flatMap(({ bundled }) => bundled)];
  const locations = [...closureOf(lock, roots)].sort();
  const ref = (location: string): string => {
    const { name, version } = own.get(location)?.manifest ?? {
      name: nameOf(location),
      version: versionAt(lock, location),
    };
    return packageUrl(name, version);
  };
  const nodes = new Map(programs.flatMap(({ node }) => (node === undefined ? [] : [[node.npmPackage, node] as const])));
  const components = [
    ...locations.map((location): BomComponent => {
      const pkg = own.get(location);
      return pkg === undefined
        ? foreignPackage(location, lock[location] ?? {}, ref(location))
        : ownPackage(pkg, tarballs.get(pkg.name), ref(location));
    }),
    ...[...nodes.values()].map(nodeComponent),
    ...programs.map(programComponent),
  ];
  const dependencies = [
    ...locations.map((location) => ({ ref: ref(location), dependsOn: dependenciesOf(lock, location).map(ref) })),
    ...programs.map(({ artefact, bundled, node }) => ({
      ref: artefact.name,
      dependsOn: [...bundled.map(ref), ...(node === undefined ? [] : [nodeUrl(node)])],
    })),
  ];
  // Two locations may hold the same version.
  const unique = <T>(items: readonly T[], key: (item: T) => string): T[] => [
    ...new Map(items.map((item) => [key(item), item])).values(),
  ];
  const body = {
    components: unique(components, (component) => component['bom-ref']),
    dependencies: unique(dependencies, (entry) => entry.ref).map(({ ref: of, dependsOn }) => ({
      ref: of,
      dependsOn: [...new Set(dependsOn)].sort(),
    })),
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([timestamp, body]))}`,
    version: 1,
    metadata: {
      timestamp,
      component: { type: 'application', 'bom-ref': 'podwright', name: 'podwright', licenses: license('Apache-2.0') },
    },
    ...body,
  };
}

function ownPackage(
  { name, type, manifest }: WorkspacePackage,
  tarball: Artefact | undefined,
  ref: string,
): BomComponent {
  return {
    type: type === 'app' ? 'application' : 'library',
    'bom-ref': ref,
    ...scoped(name),
    version: manifest.version,
    description: manifest.description ?? '',
    licenses: license(manifest.license),
    ...(tarball === undefined ? {} : { hashes: hashesOf(tarball) }),
    purl: ref,
  };
}

function foreignPackage(location: string, locked: LockedPackage, ref: string): BomComponent {
  return {
    type: 'library',
    'bom-ref': ref,
    ...scoped(nameOf(location)),
    version: locked.version ?? '',
    licenses: license(locked.license),
    hashes: [integrityHash(location, locked.integrity ?? '')],
    purl: ref,
  };
}

function nodeComponent(node: NonNullable<ReleasedProgram['node']>): BomComponent {
  return {
    type: 'platform',
    'bom-ref': nodeUrl(node),
    name: node.npmPackage,
    version: node.version,
    description: 'Node.js',
    licenses: license('MIT'),
    hashes: [integrityHash(node.npmPackage, node.integrity)],
    purl: nodeUrl(node),
  };
}

function programComponent({ artefact, version }: ReleasedProgram): BomComponent {
  return {
    type: 'application',
    'bom-ref': artefact.name,
    name: artefact.name,
    version,
    licenses: license('Apache-2.0'),
    hashes: hashesOf(artefact),
  };
}

const nameOf = (location: string): string => location.slice(location.lastIndexOf('node_modules/') + 13);
const nodeUrl = (node: NonNullable<ReleasedProgram['node']>): string => packageUrl(node.npmPackage, node.version);
const packageUrl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function versionAt(lock: LockedPackages, location: string): string {
  const { version } = lock[location] ?? {};
  if (version === undefined) throw new Error(`package-lock.json has no version of ${location}`);
  return version;
}

function scoped(fullName: string): { readonly group?: string; readonly name: string } {
  const [group = '', name] = fullName.split('/');
  return name === undefined ? { name: fullName } : { group, name };
}

function license(spdx: string | undefined): readonly unknown[] {
  if (spdx === undefined) return [];
  return / (?:OR|AND|WITH) /.test(spdx) ? [{ expression: spdx }] : [{ license: { id: spdx } }];
}

const hashesOf = ({ sha256, sha512 }: Artefact): NonNullable<BomComponent['hashes']> => [
  { alg: 'SHA-256', content: sha256 },
  { alg: 'SHA-512', content: sha512 },
];

function integrityHash(location: string, integrity: string): { readonly alg: string; readonly content: string } {
  const sha512 = /^sha512-(\S+)/.exec(integrity)?.[1];
  if (sha512 === undefined) throw new Error(`${location} has no sha512 integrity, but "${integrity}"`);
  return { alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') };
}

/** A UUID of version 8, which may be made from anything. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
