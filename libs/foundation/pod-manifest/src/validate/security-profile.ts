import type { SecurityContext } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateLocalDescendingPath } from './paths.js';

type Profile = NonNullable<SecurityContext['seccompProfile']>;
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** The longest profile name that the kernel accepts. */
const maxAppArmorName = 4095;

export function validateSeccompProfile(profile: Profile | undefined, field: string, errors: FieldErrors): void {
  if (profile === undefined) return;
  const { type, localhostProfile: name } = profile;
  validateType(type, 'seccompProfile', field, errors);
  if (type !== 'Localhost') refuseName(name, 'seccomp type', field, errors);
  // As upstream, an empty name is a name: the profile is the folder of profiles, and the runtime refuses it.
  else if (name === undefined) requireName('seccomp type', field, errors);
  else validateLocalDescendingPath(name, `${field}.localhostProfile`, errors);
}

export function validateAppArmorProfile(profile: Profile | undefined, field: string, errors: FieldErrors): void {
  if (profile === undefined) return;
  const { type, localhostProfile: name } = profile;
  validateType(type, 'appArmorProfile', field, errors);
  if (type === 'RuntimeDefault' || type === 'Unconfined') refuseName(name, 'AppArmor type', field, errors);
  if (type !== 'Localhost') return;
  if (!name) return requireName('AppArmor type', field, errors);
  if (name.trim() !== name) errors.invalid(`${field}.localhostProfile`, name, 'must not be padded with whitespace');
  if (Buffer.byteLength(name) > maxAppArmorName) errors.tooLong(`${field}.localhostProfile`, maxAppArmorName);
}

function validateType(type: string, profile: string, field: string, errors: FieldErrors): void {
  if (!type) errors.required(`${field}.type`, `type is required when ${profile} is set`);
  else errors.oneOf(`${field}.type`, type, profileTypes);
}

function requireName(what: string, field: string, errors: FieldErrors): void {
  errors.required(`${field}.localhostProfile`, `must be set when ${what} is Localhost`);
}

function refuseName(name: string | undefined, what: string, field: string, errors: FieldErrors): void {
  if (name === undefined) return;
  errors.invalid(`${field}.localhostProfile`, name, `can only be set when ${what} is Localhost`);
}
