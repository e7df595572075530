import { KubeletError } from '@podwright/errors';
import type { Container, EnvFromSource, EnvVar, Pod } from '@podwright/kube-types';
import { containerResource } from './container-resources.js';
import { downwardField } from './downward-fields.js';
import type { NodeFields } from './downward-fields.js';
import { expandVariables } from './expand.js';
import { ObjectValues, valueOf } from './object-values.js';
import type { ObjectSources } from './object-values.js';

export interface EnvironmentInput extends ObjectSources {
  readonly pod: Pod;
  readonly container: Container;
  readonly podIps: readonly string[];
  readonly node: NodeFields & { readonly nodeAllocatable: Readonly<Record<string, string>> };
}

/**
 * The variables of a container: those of `envFrom`, then those of `env`, later names overriding earlier ones. A value
 * may use `$(NAME)` of any variable before it.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go makeEnvironmentVariables.
 */
export async function makeEnvironment(input: EnvironmentInput): Promise<{ name: string; value: string }[]> {
  const objects = new ObjectValues(input, input.pod.metadata.namespace ?? '');
  const variables = new Map<string, string>();
  for (const source of input.container.envFrom ?? []) {
    for (const [key, value] of await fromSource(source, objects)) variables.set(`${source.prefix ?? ''}${key}`, value);
  }
  for (const variable of input.container.env ?? []) {
    const value = await valueOfVariable(variable, input, objects, variables);
    if (value !== undefined) variables.set(variable.name, value);
  }
  return [...variables].map(([name, value]) => ({ name, value }));
}

async function fromSource(source: EnvFromSource, objects: ObjectValues): Promise<[string, string][]> {
  const { configMapRef, secretRef } = source;
  if (configMapRef !== undefined) {
    return Object.entries((await objects.configMap(configMapRef.name ?? '', configMapRef.optional === true)) ?? {});
  }
  if (secretRef !== undefined) {
    return Object.entries((await objects.secret(secretRef.name ?? '', secretRef.optional === true)) ?? {});
  }
  return [];
}

/** undefined: an optional source that is missing leaves the variable out. */
async function valueOfVariable(
  variable: EnvVar,
  { pod, container, podIps, node }: EnvironmentInput,
  objects: ObjectValues,
  variables: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const { value = '', valueFrom } = variable;
  if (value !== '') return expandVariables(value, (name) => variables.get(name));
  if (valueFrom === undefined) return '';
  const namespace = pod.metadata.namespace ?? '';
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) return downwardField(pod, fieldRef.fieldPath, podIps, node);
  if (resourceFieldRef !== undefined) return containerResource(pod, container, resourceFieldRef, node.nodeAllocatable);
  if (configMapKeyRef !== undefined) {
    const { name = '', key, optional = false } = configMapKeyRef;
    return valueOf(await objects.configMap(name, optional), key, optional, `ConfigMap ${namespace}/${name}`);
  }
  if (secretKeyRef !== undefined) {
    const { name = '', key, optional = false } = secretKeyRef;
    return valueOf(await objects.secret(name, optional), key, optional, `Secret ${namespace}/${name}`);
  }
  const kinds = Object.keys(valueFrom).join(', ') || 'nothing';
  throw new KubeletError(`variable ${variable.name}: a value from ${kinds} is not supported`, {
    code: 'unimplemented',
  });
}
