import { deepEqual, isJsonObject } from '@podwright/kube-types';
import { defaultEvictionHard } from './default-values.js';
import { defaultKubeletConfiguration, legacyKubeletConfiguration } from './defaults.js';
import type { KubeletConfiguration } from './kubelet-configuration.js';

/**
 * The paths of fields that differ from their default but have no effect, because no running part honours them. Sorted.
 * @param honoured paths that have an effect, such as `maxPods` or `authentication.webhook`; each covers all paths below
 * it.
 */
export function notYetEffective(configuration: KubeletConfiguration, honoured: ReadonlySet<string>): readonly string[] {
  const bases = [
    { ...defaultKubeletConfiguration({}), evictionHard: defaultEvictionHard },
    legacyKubeletConfiguration(),
  ];
  return changedPaths(configuration, bases, '', honoured)
    .filter((path) => !isCovered(path, honoured))
    .sort();
}

function isCovered(path: string, honoured: ReadonlySet<string>): boolean {
  return path.split('.').some((_, index, parts) => honoured.has(parts.slice(0, index + 1).join('.')));
}

/** Maps whose keys are data, not fields; they are compared as a whole. */
const wholeValues = new Set(['featureGates', 'evictionHard', 'staticPodURLHeader']);

function changedPaths(
  value: unknown,
  bases: readonly unknown[],
  path: string,
  honoured: ReadonlySet<string>,
): string[] {
  if (bases.some((base) => deepEqual(value, base))) return [];
  if (!isJsonObject(value) || wholeValues.has(path)) return [path];
  const isNew = bases.some((base) => base === undefined || isEmptyObject(base));
  if (isNew && ![...honoured].some((field) => field.startsWith(`${path}.`))) return [path];
  return Object.entries(value).flatMap(([key, item]) => {
    const below = bases.map((base) => (base as Readonly<Record<string, unknown>> | undefined)?.[key]);
    return changedPaths(item, below, path === '' ? key : `${path}.${key}`, honoured);
  });
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
