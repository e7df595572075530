import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

const output = 'libs/foundation/kube-protobuf/src/api-messages.ts';
/** Paths relative to `staging/src/k8s.io` in a kubernetes source tree. */
const packages: readonly string[] = [
  'api/apps/v1',
  'api/authentication/v1',
  'api/authorization/v1',
  'api/batch/v1',
  'api/certificates/v1',
  'api/certificates/v1beta1',
  'api/coordination/v1',
  'api/core/v1',
  'api/discovery/v1',
  'api/networking/v1',
  'api/node/v1',
  'api/policy/v1',
  'api/rbac/v1',
  'api/resource/v1',
  'api/scheduling/v1',
  'api/storage/v1',
  'apimachinery/pkg/apis/meta/v1',
  'apimachinery/pkg/runtime',
];

const scalars: readonly string[] = ['string', 'bool', 'int32', 'int64', 'double', 'bytes'];

// Usage: node tools/bootstrap/run.mjs tools/codegen/api-messages.ts FOLDER; FOLDER is the root of a kubernetes source
// tree.
const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('usage: api-messages.ts FOLDER, the root of a tree of kubernetes');
const messages = new Map<string, string>();
for (const name of packages) {
  const folder = path.join(root, 'staging/src/k8s.io', name);
  const proto = readFileSync(path.join(folder, 'generated.proto'), 'utf8');
  const fields = goFields(folder);
  // The table of types uses core.v1 for k8s.io.api.core.v1.
  const own = name
    .split('/')
    .slice(-2)
    .join('.')
    .replace(/^pkg\./, '');
  for (const [, message = '', body = ''] of withoutComments(proto).matchAll(/^message (\w+) \{([^}]*)\}/gm)) {
    if (message.endsWith('List')) continue;
    messages.set(`${own}.${message}`, fieldsOf(body, own, fields.get(message)).join(' '));
  }
}
const sorted = [...messages].sort(([left], [right]) => (left < right ? -1 : 1));
const source = `/** Made by tools/codegen/api-messages.ts from the .proto files of kubernetes v1.36; see message-fields.ts for the notation. */
export const apiMessages: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(sorted), null, 2)};
`;
const settings = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
writeFileSync(output, (await format(output, source, settings)).code);
console.log(`${sorted.length} messages in ${output}`);

/**
 * Fields as `number:name:type`; before the type `[]` marks a list, `{}` a map, `^` what JSON merges into its parent.
 * After it, `?` marks a scalar that JSON leaves out when it is zero.
 */
function fieldsOf(body: string, own: string, fields: ReadonlyMap<string, GoField> = new Map()): readonly string[] {
  return [...body.matchAll(/(optional|repeated|map<string, )\s*([\w.]+)>?\s+(\w+) = (\d+)/g)].map(
    ([, label = '', protoType = '', protoName = '', number = '']) => {
      const { name = protoName, inlined = false, omitsZero = false } = fields.get(number) ?? {};
      const single = inlined ? '^' : '';
      const prefix = label === 'optional' ? single : label === 'repeated' ? '[]' : '{}';
      const type = typeName(protoType, own);
      return `${number}:${name}:${prefix}${type}${prefix === '' && omitsZero && scalars.includes(type) ? '?' : ''}`;
    },
  );
}

interface GoField {
  /** In JSON; the .proto files have another one for a few, such as `aPIVersion`. */
  readonly name?: string;
  /** Embedded: JSON merges its fields into the parent. */
  readonly inlined: boolean;
  /** No pointer, and `omitempty`: protobuf has the zero value, JSON does not. */
  readonly omitsZero: boolean;
}

/** By struct, the fields by their protobuf numbers. */
function goFields(folder: string): ReadonlyMap<string, ReadonlyMap<string, GoField>> {
  const found = new Map<string, ReadonlyMap<string, GoField>>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('types.go'))) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    for (const [, struct = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      const tagged = body.matchAll(/^\s*(.*?)\s*`json:"([^"]*)"\s+protobuf:"\w+,(\d+),/gm);
      const fields = [...tagged].map(([, declared = '', json = '', number = '']) => {
        const omitsZero = !declared.includes('*') && /,omit(empty|zero)/.test(json);
        const inlined = json === ',inline';
        const name = json.split(',', 1)[0] ?? '';
        return [number, { inlined, omitsZero, ...(!['', '-'].includes(name) && { name }) }] as const;
      });
      found.set(struct, new Map(fields));
    }
  }
  return found;
}

function typeName(type: string, own: string): string {
  const bare = type.replace(/^\.?k8s\.io\.(api|apimachinery\.pkg)\./, '').replace(/^apis\./, '');
  if (scalars.includes(bare)) return bare;
  return bare.includes('.') ? bare : `${own}.${bare}`;
}

function withoutComments(text: string): string {
  return text.replace(/\/\/.*$/gm, '');
}
