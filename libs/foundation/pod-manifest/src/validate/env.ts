import type { Container, EnvVar } from '@podwright/kube-types';
import { configMapKey, dns1123Subdomain, envVarName } from '@podwright/kube-types';
import type { PodRules } from './pod-rules.js';
import type { FieldErrors } from './field-errors.js';
import { envFieldPaths, validateFieldRef, validateResourceFieldRef } from './field-selectors.js';
import { validateLocalNonReservedPath } from './paths.js';

export interface EnvironmentContext {
  /** The pod's volumes, which a `fileKeyRef` may name. */
  readonly volumeNames: ReadonlySet<string>;
  readonly rules: Pick<PodRules, 'envFiles'>;
}

/** Validates a container's environment. */
export function validateEnvironment(
  container: Pick<Container, 'env' | 'envFrom'>,
  path: string,
  { volumeNames, rules }: EnvironmentContext,
  errors: FieldErrors,
): void {
  (container.env ?? []).forEach((env, index) => {
    const field = `${path}.env[${index}]`;
    if (!env.name) errors.required(`${field}.name`);
    else errors.rule(`${field}.name`, env.name, envVarName(env.name));
    if (env.valueFrom) validateValueFrom(env, `${field}.valueFrom`, { volumeNames, rules }, errors);
  });
  (container.envFrom ?? []).forEach((source, index) => {
    const field = `${path}.envFrom[${index}]`;
    if (source.prefix) errors.rule(`${field}.prefix`, source.prefix, envVarName(source.prefix));
    const refs = [
      ['configMapRef', source.configMapRef],
      ['secretRef', source.secretRef],
    ] as const;
    const given = refs.filter(([, ref]) => ref !== undefined);
    if (given.length === 0) errors.invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (given.length > 1) errors.invalid(field, '', 'may not have more than one field specified at a time');
    for (const [name, ref] of given) validateObjectName(ref?.name, `${field}.${name}.name`, errors);
  });
}

function validateValueFrom(
  env: EnvVar,
  field: string,
  { volumeNames, rules }: EnvironmentContext,
  errors: FieldErrors,
): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = env.valueFrom ?? {};
  const given = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (given === 0) {
    errors.invalid(
      field,
      '',
      rules.envFiles
        ? 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
        : 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    );
  } else if (env.value) {
    errors.invalid(field, '', 'may not be specified when `value` is not empty');
  } else if (given > 1) {
    errors.invalid(field, '', 'may not have more than one field specified at a time');
  }
  if (fieldRef) validateFieldRef(fieldRef, envFieldPaths, `${field}.fieldRef`, errors);
  if (resourceFieldRef) validateResourceFieldRef(resourceFieldRef, false, `${field}.resourceFieldRef`, errors);
  if (configMapKeyRef) validateKeyRef(configMapKeyRef, `${field}.configMapKeyRef`, errors);
  if (secretKeyRef) validateKeyRef(secretKeyRef, `${field}.secretKeyRef`, errors);
  if (fileKeyRef) validateFileKeyRef(fileKeyRef, `${field}.fileKeyRef`, volumeNames, errors);
}

function validateKeyRef(
  ref: { readonly name?: string; readonly key: string },
  field: string,
  errors: FieldErrors,
): void {
  validateObjectName(ref.name, `${field}.name`, errors);
  if (!ref.key) errors.required(`${field}.key`);
  else errors.rule(`${field}.key`, ref.key, configMapKey(ref.key));
}

type FileKeyRef = NonNullable<NonNullable<EnvVar['valueFrom']>['fileKeyRef']>;

function validateFileKeyRef(
  ref: FileKeyRef,
  field: string,
  volumeNames: ReadonlySet<string>,
  errors: FieldErrors,
): void {
  if (!ref.key) errors.required(`${field}.key`);
  else errors.rule(`${field}.key`, ref.key, envVarName(ref.key));
  if (!ref.volumeName) errors.required(`${field}.volumeName`);
  else if (!volumeNames.has(ref.volumeName)) errors.notFound(`${field}.volumeName`, ref.volumeName);
  if (!ref.path) errors.required(`${field}.path`);
  else validateLocalNonReservedPath(ref.path, `${field}.path`, errors);
}

/** Validates the name of a secret or config map. */
export function validateObjectName(name: string | undefined, field: string, errors: FieldErrors): void {
  if (!name) errors.required(field);
  else errors.rule(field, name, dns1123Subdomain(name));
}
