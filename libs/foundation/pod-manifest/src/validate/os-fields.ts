import type { PodSpec } from '@podwright/kube-types';
import { visitContainers } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

const podFieldsOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'runAsUser',
  'runAsGroup',
  'seLinuxChangePolicy',
] as const;
const containerFieldsOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;
const forLinux = 'windows options cannot be set for a linux pod';
const forWindows = 'cannot be set for a windows pod';

/** Validates `spec.os` and rejects fields that only the other operating system has. */
export function validateOs(spec: PodSpec, errors: FieldErrors): void {
  if (spec.os === undefined) return;
  if (!spec.os.name) return errors.required('spec.os.name');
  errors.oneOf('spec.os', spec.os.name, ['linux', 'windows']);
  if (spec.os.name === 'linux') validateLinux(spec, errors);
  if (spec.os.name === 'windows') validateWindows(spec, errors);
  return undefined;
}

/** Validates Windows' host processes, whose pods have no other containers. */
export function validateHostProcesses(spec: PodSpec, errors: FieldErrors): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers = [...visitContainers(spec)];
  const hostProcesses = containers.filter(({ container, path }) => {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && own !== ofPod) {
      const problem = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.invalid(`${path}.securityContext.windowsOptions.hostProcess`, own, problem);
    }
    return own ?? ofPod === true;
  });
  if (hostProcesses.length === 0) return;
  if (hostProcesses.length < containers.length) {
    const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.invalid('spec', '', all);
  }
  if (spec.hostNetwork !== true) {
    errors.invalid('spec.hostNetwork', false, 'hostNetwork must be true if pod contains any hostProcess containers');
  }
}

function validateLinux(spec: PodSpec, errors: FieldErrors): void {
  if (spec.securityContext?.windowsOptions) errors.forbidden('spec.securityContext.windowsOptions', forLinux);
  for (const { container, path } of visitContainers(spec)) {
    if (container.securityContext?.windowsOptions) errors.forbidden(`${path}.securityContext.windowsOptions`, forLinux);
  }
}

function validateWindows(spec: PodSpec, errors: FieldErrors): void {
  for (const name of ['hostPID', 'hostIPC'] as const) {
    if (spec[name] === true) errors.forbidden(`spec.${name}`, forWindows);
  }
  for (const name of ['hostUsers', 'shareProcessNamespace'] as const) {
    if (spec[name] !== undefined) errors.forbidden(`spec.${name}`, forWindows);
  }
  for (const name of podFieldsOfLinux) {
    if (spec.securityContext?.[name] !== undefined) errors.forbidden(`spec.securityContext.${name}`, forWindows);
  }
  for (const { container, path } of visitContainers(spec)) {
    for (const name of containerFieldsOfLinux) {
      if (container.securityContext?.[name] !== undefined)
        errors.forbidden(`${path}.securityContext.${name}`, forWindows);
    }
  }
}
