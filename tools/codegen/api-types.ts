import { readFileSync, writeFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';

/** The part of an OpenAPI v2 schema that the table of types keeps; descriptions are left out. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
}

const output = 'libs/testing/test-apiserver/src/openapi/api-types.ts';
/** The versions that the test API server serves; see its built-in-resources.ts. */
const versions: Readonly<Record<string, readonly string[]>> = {
  '': ['v1'],
  apps: ['v1'],
  'authentication.k8s.io': ['v1'],
  'authorization.k8s.io': ['v1'],
  batch: ['v1'],
  'certificates.k8s.io': ['v1', 'v1beta1'],
  'coordination.k8s.io': ['v1'],
  'discovery.k8s.io': ['v1'],
  'networking.k8s.io': ['v1'],
  'node.k8s.io': ['v1'],
  policy: ['v1'],
  'rbac.authorization.k8s.io': ['v1'],
  'resource.k8s.io': ['v1'],
  'scheduling.k8s.io': ['v1'],
  'storage.k8s.io': ['v1'],
};
/** Types of subresource requests; the resource table does not name them. */
const ofSubresources = ['authentication.v1.TokenRequest', 'policy.v1.Eviction', 'autoscaling.v1.Scale'];

const scalars: Readonly<Record<string, string>> = {
  'meta.v1.Time': 'date-time',
  'meta.v1.MicroTime': 'micro-time',
  'resource.Quantity': 'quantity',
  'util.intstr.IntOrString': 'int-or-string',
  'meta.v1.FieldsV1': 'any',
};

// Usage: `kubectl get --raw /openapi/v2 > FILE` on a cluster of the wanted version, then
// `node tools/bootstrap/run.mjs tools/codegen/api-types.ts FILE`.
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: api-types.ts FILE, what /openapi/v2 of a cluster answers');
const { definitions } = JSON.parse(readFileSync(file, 'utf8')) as { definitions: Readonly<Record<string, Schema>> };
const types = new Map<string, string>();
for (const [name, schema] of Object.entries(definitions)) {
  const served = schema['x-kubernetes-group-version-kind']?.some(
    ({ group, version, kind }) => versions[group]?.includes(version) === true && !kind.endsWith('List'),
  );
  if (served === true && name.startsWith('io.k8s.api.')) collect(name);
}
for (const name of ofSubresources) collect(`io.k8s.api.${name}`);
const lines = [...types].sort(([left], [right]) => (left < right ? -1 : 1));
const source = `/** Made by tools/codegen/api-types.ts from what a cluster of v1.36 answers at /openapi/v2; see api-type.ts for the notation. */
export const apiTypes: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(lines), null, 2)};
`;
const settings = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
writeFileSync(output, (await format(output, source, settings)).code);
console.log(`${lines.length} types in ${output}`);

function collect(fullName: string): void {
  const name = shortName(fullName);
  const schema = definitions[fullName];
  if (schema === undefined) throw new Error(`no definition of ${fullName}`);
  if (types.has(name) || schema.properties === undefined) return;
  types.set(name, '');
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(
    ([field, property]) => `${field}${required.has(field) ? '*' : ''}:${notation(property)}`,
  );
  types.set(name, [...(schema['x-kubernetes-map-type'] === 'atomic' ? ['!'] : []), ...fields].join(' '));
}

function notation(schema: Schema): string {
  const { type, format, $ref, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    const fullName = $ref.replace('#/definitions/', '');
    collect(fullName);
    const atomic = schema['x-kubernetes-map-type'] === 'atomic' ? '!' : '';
    return scalars[shortName(fullName)] ?? `${types.has(shortName(fullName)) ? shortName(fullName) : 'any'}${atomic}`;
  }
  if (items !== undefined) return `[]${notation(items)}${merging(schema)}`;
  if (additionalProperties !== undefined) return `{}${notation(additionalProperties)}`;
  if (type === 'object' || type === undefined) return 'any';
  return format ?? type;
}

/**
 * Merge markers: `@key` for strategic merge (`@` for a set), `~` for retainKeys, `#keys` and `#` for server-side apply.
 */
function merging(schema: Schema): string {
  const strategies = (schema['x-kubernetes-patch-strategy'] ?? '').split(',');
  const patch = strategies.includes('merge') ? `@${schema['x-kubernetes-patch-merge-key'] ?? ''}` : '';
  const list = schema['x-kubernetes-list-type'];
  const apply =
    list === 'map' ? `#${(schema['x-kubernetes-list-map-keys'] ?? []).join(',')}` : list === 'set' ? '#' : '';
  return `${patch}${strategies.includes('retainKeys') ? '~' : ''}${apply}`;
}

function shortName(fullName: string): string {
  return fullName.replace(/^io\.k8s\.(api|apimachinery\.pkg\.apis|apimachinery\.pkg\.api|apimachinery\.pkg)\./, '');
}
