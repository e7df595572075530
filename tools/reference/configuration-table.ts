import { partlyEffectiveFields, readingFields, steeringFields } from '@podwright/kubelet';
import { defaultKubeletConfiguration, kubeletConfigurationSchema } from '@podwright/kubelet-configuration';
import type { ObjectSchema } from '@podwright/kube-types';
import { alignedTable } from './aligned-table.js';

const intro = `# KubeletConfiguration

Every field of \`kubelet.config.k8s.io/v1beta1\` is read, defaulted and validated as Kubernetes v1.36 does it. A field that is
effective steers a part of this kubelet, or how the configuration itself is read. Some steer a part of what they steer upstream;
the list at the end says which. Any other field is accepted; when it, or one of those, is set to something else than its default,
the kubelet says so once, at its start.

Three defaults depend on more than the field. \`evictionHard\`: with \`--config\` and without the field \`memory.available: 100Mi\`,
\`nodefs.available: 10%\`, \`nodefs.inodesFree: 5%\`, \`imagefs.available: 15%\`, \`imagefs.inodesFree: 5%\`; without \`--config\` none. A
field that names some signals replaces all of these, unless \`mergeDefaultEvictionSettings\` is true. \`serializeImagePulls\` is false where
\`maxParallelImagePulls\` is 2 or more and the field is not there. \`failSwapOn\` ends a kubelet on a machine with swap, as upstream's,
and \`failCgroupV1\` one on a machine with cgroup v1 (\`kubelet is configured to not run on a host using cgroup v1\`).

Which option of which module a field steers is decided in \`apps/kubelet/src/module-options.ts\` and the \`*-options.ts\` that it
imports, and what counts as effective
is listed in \`apps/kubelet/src/effective-fields.ts\`. This page is made from there by
\`node tools/bootstrap/run.mjs tools/reference/main.ts\`.
`;

/** The page docs/kubelet-configuration.md. */
export function configurationPage(): string {
  const effective = { ...readingFields, ...steeringFields };
  const defaults = defaultKubeletConfiguration({});
  const rows = fieldPaths(kubeletConfigurationSchema, '').map((path) => [
    `\`${path}\``,
    cell(valueAt(defaults, path)),
    effective[path] !== undefined ? `since ${effective[path]}` : path in partlyEffectiveFields ? 'partly' : 'not yet',
  ]);
  const count = (wanted: RegExp): number => rows.filter(([, , value = '']) => wanted.test(value)).length;
  const table = alignedTable([['field', 'default', 'effective'], ...rows]);
  const parts = Object.entries(partlyEffectiveFields)
    .map(([path, part]) => `- \`${path}\`: ${part}`)
    .join('\n');
  return `${intro}\n${count(/^since/)} of ${rows.length} fields are effective, ${count(/^partly/)} partly.\n\n${table}\n\nThe part of the partly effective fields that is honoured:\n\n${parts}\n`;
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
