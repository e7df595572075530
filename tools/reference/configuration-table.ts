import {
  fieldsWithoutCounterpart,
  partlyEffectiveFields,
  readingFields,
  steeringFields,
} from '@podwright/kubelet-assembly';
import { defaultKubeletConfiguration, kubeletConfigurationSchema } from '@podwright/kubelet-configuration';
import type { ObjectSchema } from '@podwright/pod-manifest';
import { alignedTable } from './aligned-table.js';

const intro = `# KubeletConfiguration

For operators: every field of \`kubelet.config.k8s.io/v1beta1\`, its default, and whether it has an effect here. The kubelet reads, defaults
and validates every field as Kubernetes v1.36 does. An effective field sets an option of some manager, or how the configuration itself
is read. A few fields do only part of what they do upstream; the list at the end says which part. The kubelet accepts the other fields
too. At its start it logs each field that is set to something other than its default and has no effect, or only part of it.

Some defaults depend on more than the field:

- \`evictionHard\`: with \`--config\` and without the field it is \`memory.available: 100Mi\`, \`nodefs.available: 10%\`, \`nodefs.inodesFree: 5%\`,
  \`imagefs.available: 15%\`, \`imagefs.inodesFree: 5%\`; without \`--config\` it is empty. A field that names some signals replaces all of
  these, unless \`mergeDefaultEvictionSettings\` is true.
- \`serializeImagePulls\` is false if \`maxParallelImagePulls\` is 2 or more and the field is not set.

Two fields keep the kubelet from starting, as upstream: \`failSwapOn\` on a machine with swap, \`failCgroupV1\` on a machine with cgroup v1
(\`kubelet is configured to not run on a host using cgroup v1\`).

In \`libs/assembly/kubelet-assembly/src\`, \`module-options.ts\` and the \`*-options.ts\` that it imports decide which option of which
module a field sets; \`effective-fields.ts\` lists the effective fields. This page is generated from there by
\`node tools/bootstrap/run.mjs tools/reference/main.ts\`.
`;

/** The text of docs/kubelet-configuration.md. */
export function configurationPage(): string {
  const defaults = defaultKubeletConfiguration({});
  const rows = fieldPaths(kubeletConfigurationSchema, '').map((path) => [
    `\`${path}\``,
    cell(valueAt(defaults, path)),
    effect(path),
  ]);
  const count = (wanted: RegExp): number => rows.filter(([, , value = '']) => wanted.test(value)).length;
  const table = alignedTable([['field', 'default', 'effective'], ...rows]);
  const list = (fields: Readonly<Record<string, string>>): string =>
    Object.entries(fields)
      .map(([path, part]) => `- \`${path}\`: ${part}`)
      .join('\n');
  return `${intro}\n${count(/^since/)} of ${rows.length} fields are effective, ${count(/^partly/)} partly, ${count(/^nothing/)} have nothing to do.\n\n${table}\n\nWhat the partly effective fields do here:\n\n${list(partlyEffectiveFields)}\n\nWhy the others have nothing to do:\n\n${list(fieldsWithoutCounterpart)}\n`;
}

function effect(path: string): string {
  const since = { ...readingFields, ...steeringFields }[path];
  if (since !== undefined) return `since ${since}`;
  return path in partlyEffectiveFields ? 'partly' : path in fieldsWithoutCounterpart ? 'nothing to do' : 'not yet';
}

function fieldPaths(schema: ObjectSchema, prefix: string): readonly string[] {
  return Object.entries(schema.fields)
    .filter(([name]) => prefix !== '' || (name !== 'apiVersion' && name !== 'kind'))
    .flatMap(([name, field]) =>
      field.kind === 'object' ? fieldPaths(field, `${prefix}${name}.`) : [`${prefix}${name}`],
    )
    .sort();
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((place, key) => (place as Readonly<Record<string, unknown>> | undefined)?.[key], value);
}

function cell(value: unknown): string {
  const nothing =
    value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return nothing ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
