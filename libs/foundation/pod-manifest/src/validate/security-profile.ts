import type { SecurityContext } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateLocalDescendingPath } from './paths.js';

type Profile = NonNullable<SecurityContext['seccompProfile']>;
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** The longest profile name that the kernel accepts. */
const maxAppArmorName = 4095;

export function validateSeccompProfile(profile: Profile | undefined, field: string, errors: FieldErrors): void {
  if (profile === undefined) return;
  validateProfile(profile, 'seccomp type', field, errors);
  if (profile.type === 'Localhost' && profile.localhostProfile) {
    validateLocalDescendingPath(profile.localhostProfile, `${field}.localhostProfile`, errors);
  }
}

export function validateAppArmorProfile(profile: Profile | undefined, field: string, errors: FieldErrors): void {
  if (profile === undefined) return;
  validateProfile(profile, 'AppArmor type', field, errors);
  const name = profile.localhostProfile;
  if (profile.type !== 'Localhost' || !name) return;
  if (name.trim() !== name) errors.invalid(`${field}.localhostProfile`, name, 'must not be padded with whitespace');
  if (Buffer.byteLength(name) > maxAppArmorName) errors.tooLong(`${field}.localhostProfile`, maxAppArmorName);
}

function validateProfile(profile: Profile, what: string, field: string, errors: FieldErrors): void {
  if (!profile.type) errors.required(`${field}.type`, 'type is required when the profile is set');
  else errors.oneOf(`${field}.type`, profile.type, profileTypes);
  if (profile.type === 'Localhost') {
    if (!profile.localhostProfile)
      errors.required(`${field}.localhostProfile`, `must be set when ${what} is Localhost`);
  } else if (profile.localhostProfile !== undefined) {
    errors.invalid(`${field}.localhostProfile`, profile.localhostProfile, `can only be set when ${what} is Localhost`);
  }
}
