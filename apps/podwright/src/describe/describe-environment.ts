import type { Container, EnvFromSource, EnvVar, Pod } from '@podwright/kube-types';
import { downwardResource } from '@podwright/kube-types';
import type { Description } from './description.js';

/** Source: kubernetes v1.36 kubectl/pkg/describe/describe.go describeContainerEnvFrom, describeContainerEnvVars. */
export function describeEnvironment(description: Description, pod: Pod, container: Container): void {
  const { envFrom = [], env = [] } = container;
  if (envFrom.length > 0) description.line(2, 'Environment Variables from:');
  for (const source of envFrom) description.line(3, envFromLine(source));
  description.line(2, `Environment:${env.length === 0 ? '\t<none>' : ''}`);
  for (const variable of env) describeVariable(description, pod, container, variable);
}

function envFromLine({ configMapRef, secretRef, prefix = '' }: EnvFromSource): string {
  const from = configMapRef === undefined ? (secretRef === undefined ? '' : 'Secret') : 'ConfigMap';
  const { name = '', optional = false } = configMapRef ?? secretRef ?? {};
  return `${name}\t${from}${prefix === '' ? '' : ` with prefix '${prefix}'`}\tOptional: ${optional}`;
}

function describeVariable(
  description: Description,
  pod: Pod,
  container: Container,
  { name, value = '', valueFrom }: EnvVar,
): void {
  if (valueFrom === undefined) {
    const [first = '', ...others] = value.split('\n');
    description.line(3, `${name}:\t${first}`);
    for (const line of others) description.line(3, `\t${line}`);
    return;
  }
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef !== undefined) {
    description.line(
      3,
      `${name}:\t${fieldValue(pod, fieldRef.fieldPath)} (${fieldRef.apiVersion ?? ''}:${fieldRef.fieldPath})`,
    );
  } else if (resourceFieldRef !== undefined) {
    const { resource } = resourceFieldRef;
    description.line(3, `${name}:\t${resourceValue(pod, container, resourceFieldRef)} (${resource})`);
  } else if (secretKeyRef !== undefined) {
    const { key, name: secret = '', optional = false } = secretKeyRef;
    description.line(3, `${name}:\t<set to the key '${key}' in secret '${secret}'>\tOptional: ${optional}`);
  } else if (configMapKeyRef !== undefined) {
    const { key, name: map = '', optional = false } = configMapKeyRef;
    description.line(3, `${name}:\t<set to the key '${key}' of config map '${map}'>\tOptional: ${optional}`);
  }
}

/** Upstream's command knows the values of these two only. */
function fieldValue({ metadata }: Pod, path: string): string {
  if (path === 'metadata.name') return metadata.name ?? '';
  return path === 'metadata.namespace' ? (metadata.namespace ?? '') : '';
}

function resourceValue(
  pod: Pod,
  container: Container,
  selector: NonNullable<NonNullable<EnvVar['valueFrom']>['resourceFieldRef']>,
): string {
  const { resource } = selector;
  const isSet = container.resources?.limits?.[resource.replace(/^limits\./, '')] !== undefined;
  if ((resource === 'limits.cpu' || resource === 'limits.memory') && !isSet) return 'node allocatable';
  const { divisor } = selector;
  return downwardResource(pod, container, { resource, ...(divisor !== undefined && { divisor }) }, {});
}
