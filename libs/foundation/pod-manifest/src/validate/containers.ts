import type { Container, EphemeralContainer, PodSpec } from '@podwright/kube-types';
import { dns1123Label, isSidecar } from '@podwright/kube-types';
import { validateHostPortConflicts, validatePorts } from './container-ports.js';
import { validateEnvironment } from './env.js';
import type { FieldErrors } from './field-errors.js';
import type { PodRules } from './pod-rules.js';
import { forbidProbesAndHooks, validateLifecycle, validateProbes } from './probes.js';
import { validateContainerResources, validateResizePolicy } from './resources.js';
import { validateInitRestartRules, validateRestartRules } from './restart-rules.js';
import { validateSecurityContext } from './security-context.js';
import { validateStopSignal } from './stop-signal.js';
import type { Volumes } from './volume-mounts.js';
import { validateVolumeDevices, validateVolumeMounts } from './volume-mounts.js';

interface PodParts {
  readonly spec: PodSpec;
  readonly volumes: Volumes;
  readonly volumeNames: ReadonlySet<string>;
  readonly claimNames: ReadonlySet<string>;
  readonly rules: PodRules;
}

/** Validates regular and init containers; names must be unique over both lists. */
export function validateContainers(
  spec: PodSpec,
  { volumes, rules }: Pick<PodParts, 'volumes' | 'rules'>,
  errors: FieldErrors,
): void {
  const claims = (spec.resourceClaims ?? []).map(({ name }) => name);
  const pod = { spec, volumes, rules, volumeNames: new Set(volumes.keys()), claimNames: new Set(claims) };
  const names = new Set<string>();
  const paths = spec.containers.map((container, index) => [`spec.containers[${index}]`, container] as const);
  if (paths.length === 0) errors.required('spec.containers');
  for (const [path, container] of paths) {
    validateContainer(container, path, pod, names, errors);
    validateRestartRules(container, path, rules, errors);
    validateRunning(container, path, pod, errors);
  }
  validateHostPortConflicts(paths, errors);
  (spec.initContainers ?? []).forEach((container, index) => {
    const path = `spec.initContainers[${index}]`;
    validateContainer(container, path, pod, names, errors);
    validateInitRestartRules(container, path, rules, errors);
    if (isSidecar(container)) validateRunning(container, path, pod, errors);
    else
      forbidProbesAndHooks(container, path, 'may not be set for init containers without restartPolicy=Always', errors);
    validateHostPortConflicts([[path, container]], errors);
  });
}

/** Rejects ephemeral containers: they are only added to a running pod. */
export function forbidEphemeralContainers(spec: PodSpec, errors: FieldErrors): void {
  const ephemeral: readonly EphemeralContainer[] = spec.ephemeralContainers ?? [];
  if (ephemeral.length > 0) errors.forbidden('spec.ephemeralContainers', 'cannot be set on create');
}

function validateRunning(container: Container, path: string, { spec }: PodParts, errors: FieldErrors): void {
  validateLifecycle(container, path, spec.terminationGracePeriodSeconds ?? 0, errors);
  validateStopSignal(container, spec.os, path, errors);
  validateProbes(container, path, errors);
}

function validateContainer(
  container: Container,
  path: string,
  pod: PodParts,
  names: Set<string>,
  errors: FieldErrors,
): void {
  validateNames(container, path, names, errors);
  validatePolicies(container, path, errors);
  validatePorts(container, path, pod.spec.hostNetwork === true, errors);
  validateEnvironment(container, path, pod, errors);
  validateVolumeMounts(container, path, pod.volumes, errors);
  validateVolumeDevices(container, path, pod.volumes, errors);
  validateContainerResources(container, path, pod.claimNames, errors);
  validateResizePolicy(container, path, pod.spec.restartPolicy ?? 'Always', errors);
  validateSecurityContext(container, path, pod.spec.hostUsers !== false, errors);
  if (pod.spec.hostUsers === false && (container.volumeDevices ?? []).length > 0) {
    errors.forbidden(`${path}.volumeDevices`, 'when `hostUsers` is false');
  }
}

function validateNames(container: Container, path: string, names: Set<string>, errors: FieldErrors): void {
  if (!container.name) errors.required(`${path}.name`);
  else errors.rule(`${path}.name`, container.name, dns1123Label(container.name));
  if (container.name && names.has(container.name)) errors.duplicate(`${path}.name`, container.name);
  names.add(container.name);
  if (!container.image) errors.required(`${path}.image`);
  else if (container.image.trim() !== container.image) {
    errors.invalid(`${path}.image`, container.image, 'must not have leading or trailing whitespace');
  }
}

function validatePolicies(container: Container, path: string, errors: FieldErrors): void {
  const { terminationMessagePolicy, imagePullPolicy } = container;
  if (!terminationMessagePolicy) errors.required(`${path}.terminationMessagePolicy`);
  else errors.oneOf(`${path}.terminationMessagePolicy`, terminationMessagePolicy, ['FallbackToLogsOnError', 'File']);
  if (!imagePullPolicy) errors.required(`${path}.imagePullPolicy`);
  else errors.oneOf(`${path}.imagePullPolicy`, imagePullPolicy, ['Always', 'IfNotPresent', 'Never']);
}
