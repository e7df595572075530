import type { Container, PodSpec } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import type { PodRules } from './pod-rules.js';
import { validateId } from './numbers.js';
import { validateAppArmorProfile, validateSeccompProfile } from './security-profile.js';

const sysctlFormat = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctlPattern = new RegExp(sysctlFormat);
const maxSysctlLength = 253;
const ipcSysctls = /^(kernel[./](shm|msg|sem)|fs[./]mqueue[./])/;

/** Validates the pod's security context and its host namespaces. */
export function validatePodSecurityContext(spec: PodSpec, rules: PodRules, errors: FieldErrors): void {
  const context = spec.securityContext ?? {};
  const field = 'spec.securityContext';
  validateId(context.fsGroup, `${field}.fsGroup`, errors);
  validateId(context.runAsUser, `${field}.runAsUser`, errors);
  validateId(context.runAsGroup, `${field}.runAsGroup`, errors);
  (context.supplementalGroups ?? []).forEach((group, index) => {
    validateId(group, `${field}.supplementalGroups[${index}]`, errors);
  });
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    errors.invalid(`${field}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  validateSysctls(spec, errors);
  errors.oneOf(`${field}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']);
  errors.oneOf(`${field}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ['Merge', 'Strict']);
  const changePolicies = [...(rules.seLinuxMount ? ['MountOption'] : []), 'Recursive'];
  errors.oneOf(`${field}.seLinuxChangePolicy`, context.seLinuxChangePolicy, changePolicies);
  validateSeccompProfile(context.seccompProfile, `${field}.seccompProfile`, errors);
  validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`, errors);
  validateHostUsers(spec, rules, errors);
}

function validateSysctls(spec: PodSpec, errors: FieldErrors): void {
  const names = new Set<string>();
  (spec.securityContext?.sysctls ?? []).forEach(({ name }, index) => {
    const field = `spec.securityContext.sysctls[${index}].name`;
    if (!name) return errors.required(field);
    if (name.length > maxSysctlLength || !sysctlPattern.test(name)) {
      return errors.invalid(
        field,
        name,
        `must have at most ${maxSysctlLength} characters and match regex ${sysctlFormat}`,
      );
    }
    if (names.has(name)) errors.duplicate(field, name);
    names.add(name);
    if (spec.hostNetwork === true && /^net[./]/.test(name)) {
      errors.invalid(field, name, "may not be specified when 'hostNetwork' is true");
    }
    if (spec.hostIPC === true && ipcSysctls.test(name)) {
      errors.invalid(field, name, "may not be specified when 'hostIPC' is true");
    }
    return undefined;
  });
}

/** Rejects host namespaces for a pod in its own user namespace. */
function validateHostUsers(spec: PodSpec, { userNamespacesHostNetwork }: PodRules, errors: FieldErrors): void {
  if (spec.hostUsers !== false) return;
  for (const name of ['hostNetwork', 'hostPID', 'hostIPC'] as const) {
    if (name === 'hostNetwork' && userNamespacesHostNetwork) continue;
    if (spec[name] === true) errors.forbidden(`spec.${name}`, 'when `hostUsers` is false');
  }
}

/** Validates a container's security context. */
export function validateSecurityContext(
  container: Pick<Container, 'securityContext'>,
  path: string,
  hostUsers: boolean,
  errors: FieldErrors,
): void {
  const context = container.securityContext;
  if (context === undefined) return;
  const field = `${path}.securityContext`;
  validateId(context.runAsUser, `${field}.runAsUser`, errors);
  validateId(context.runAsGroup, `${field}.runAsGroup`, errors);
  errors.oneOf(`${field}.procMount`, context.procMount, ['Default', 'Unmasked']);
  if (context.procMount === 'Unmasked' && hostUsers) {
    errors.invalid(`${field}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`');
  }
  validateSeccompProfile(context.seccompProfile, `${field}.seccompProfile`, errors);
  validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`, errors);
  if (context.allowPrivilegeEscalation !== false) return;
  if (context.privileged === true) {
    errors.invalid(field, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  }
  if ((context.capabilities?.add ?? []).some((name) => name === 'CAP_SYS_ADMIN')) {
    errors.invalid(
      field,
      context,
      'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
    );
  }
}
