import type { ServiceSource } from '@podwright/container-environment-interface';
import { KubeletError } from '@podwright/errors';
import { downwardResource, expandVariables, isStaticPod } from '@podwright/kube-types';
import type { Container, EnvFromSource, EnvVar, Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MountedVolume } from '@podwright/volume-interface';
import { downwardField } from './downward-fields.js';
import type { NodeFields } from './downward-fields.js';
import { fileKey } from './file-key.js';
import { ObjectValues, valueOf } from './object-values.js';
import type { ObjectSources } from './object-values.js';
import { serviceVariables } from './service-variables.js';

export interface EnvironmentInput extends ObjectSources {
  readonly pod: Pod;
  readonly container: Container;
  readonly podIps: readonly string[];
  readonly volumes: readonly MountedVolume[];
  readonly services: ServiceSource;
  /** `hostIps` and `allocatable` throw while the Node is unknown. */
  readonly node: NodeFields & { readonly allocatable: () => Readonly<Record<string, string>> };
  /** Feature gate EnvFiles: values may come from files in volumes. */
  readonly envFiles: boolean;
  readonly logger: Logger;
}

/**
 * The variables of a container: first those of `envFrom`, then those of `env`, where a later name overrides an earlier
 * one; then those of services, which override nothing. A value may use `$(NAME)` of any earlier variable and of any
 * service variable. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go makeEnvironmentVariables.
 */
export async function makeEnvironment(input: EnvironmentInput): Promise<{ name: string; value: string }[]> {
  const ofServices = variablesOfServices(input);
  const objects = new ObjectValues(input, input.pod.metadata.namespace ?? '');
  const variables = new Map<string, string>();
  for (const source of input.container.envFrom ?? []) {
    for (const [key, value] of await fromSource(source, objects)) variables.set(`${source.prefix ?? ''}${key}`, value);
  }
  const lookUp = (name: string): string | undefined => variables.get(name) ?? ofServices.get(name);
  for (const variable of input.container.env ?? []) {
    const value = await valueOfVariable(variable, input, objects, lookUp);
    if (value !== undefined) variables.set(variable.name, value);
  }
  for (const [name, value] of ofServices) if (!variables.has(name)) variables.set(name, value);
  return [...variables].map(([name, value]) => ({ name, value }));
}

function variablesOfServices({ pod, services }: EnvironmentInput): ReadonlyMap<string, string> {
  const { enableServiceLinks } = pod.spec;
  if (enableServiceLinks === undefined) {
    throw new KubeletError('nil pod.spec.enableServiceLinks encountered, cannot construct envvars', {
      code: 'invalid-argument',
    });
  }
  // Static pods do not wait for services: one of them may be the API server.
  if (!isStaticPod(pod) && !services.hasSynced()) {
    throw new KubeletError('services have not yet been read at least once, cannot construct envvars', {
      code: 'unavailable',
    });
  }
  const namespace = pod.metadata.namespace ?? '';
  return serviceVariables(services.list(namespace), namespace, enableServiceLinks);
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

/** Undefined when an optional source is missing: the container then does not get the variable. */
async function valueOfVariable(
  variable: EnvVar,
  input: EnvironmentInput,
  objects: ObjectValues,
  lookUp: (name: string) => string | undefined,
): Promise<string | undefined> {
  const { value = '', valueFrom } = variable;
  if (value !== '') return expandVariables(value, lookUp);
  if (valueFrom === undefined) return '';
  const { pod, container, node } = input;
  const namespace = pod.metadata.namespace ?? '';
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef !== undefined) return downwardField(pod, fieldRef.fieldPath, input.podIps, node);
  if (resourceFieldRef !== undefined) return downwardResource(pod, container, resourceFieldRef, allocatableOf(input));
  if (configMapKeyRef !== undefined) {
    const { name = '', key, optional = false } = configMapKeyRef;
    return valueOf(await objects.configMap(name, optional), key, optional, `ConfigMap ${namespace}/${name}`);
  }
  if (secretKeyRef !== undefined) {
    const { name = '', key, optional = false } = secretKeyRef;
    return valueOf(await objects.secret(name, optional), key, optional, `Secret ${namespace}/${name}`);
  }
  if (fileKeyRef !== undefined && input.envFiles) return fileKey(fileKeyRef, input.volumes, input.logger);
  return ''; // as upstream with the gate off
}

function allocatableOf({ node }: EnvironmentInput): Readonly<Record<string, string>> {
  try {
    return node.allocatable();
  } catch (cause) {
    throw new KubeletError('failed to find node object, expected a node', { code: 'unavailable', cause });
  }
}
