import { visitContainers, type Pod, type SecurityContext } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateLocalDescendingPath } from './paths.js';

type Profile = NonNullable<SecurityContext['seccompProfile']>;

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const localhost = 'localhost/';
/** What stands in an annotation for the type of a profile. */
const ofAppArmor = { Unconfined: ['unconfined'], RuntimeDefault: ['runtime/default'] };
const ofSeccomp = { Unconfined: ['unconfined'], RuntimeDefault: ['runtime/default', 'docker/default'] };
const plain = (names: typeof ofAppArmor): readonly string[] => Object.values(names).flat();

/** Validates the annotations with which pods chose profiles before there were fields for them. */
export function validateProfileAnnotations({ metadata, spec }: Pod, errors: FieldErrors): void {
  const entries = Object.entries(metadata.annotations ?? {});
  for (const [key, value] of entries) {
    if (key !== seccompOfPod && !key.startsWith(seccompPrefix)) continue;
    const field = `metadata.annotations.${key}`;
    if (value.startsWith(localhost)) validateLocalDescendingPath(value.slice(localhost.length), field, errors);
    else if (!plain(ofSeccomp).includes(value)) errors.invalid(field, value, 'must be a valid seccomp profile');
  }
  const names = new Set(Array.from(visitContainers(spec), ({ container }) => container.name));
  for (const [key, value] of entries) {
    if (!key.startsWith(appArmorPrefix)) continue;
    const field = `metadata.annotations[${key}]`;
    const name = key.slice(appArmorPrefix.length);
    if (!names.has(name)) errors.invalid(field, name, 'container not found');
    if (value === '' || value.startsWith(localhost) || plain(ofAppArmor).includes(value)) continue;
    errors.invalid(field, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`);
  }
}

/** Rejects annotations that say something else than the fields. Pods for Windows may have any for AppArmor. */
export function validateProfilesMatch({ metadata: { annotations = {} }, spec }: Pod, errors: FieldErrors): void {
  const match = (what: keyof typeof kinds, profile: Profile | undefined, key: string, path: string): void => {
    const value = annotations[key];
    if (profile === undefined || value === undefined) return;
    const field = `${path}.securityContext.${what === 'seccomp' ? 'seccompProfile' : 'appArmorProfile'}`;
    const fault = mismatchOf(profile, value, kinds[what]);
    if (fault !== undefined)
      errors.forbidden(`${field}.${fault.field}`, `${what} ${fault.what} in annotation and field must match`);
  };
  match('seccomp', spec.securityContext?.seccompProfile, seccompOfPod, 'spec');
  for (const { container, path } of visitContainers(spec)) {
    match('seccomp', container.securityContext?.seccompProfile, `${seccompPrefix}${container.name}`, path);
  }
  if (spec.os?.name === 'windows') return;
  for (const { container, path } of visitContainers(spec)) {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    match('apparmor', profile, `${appArmorPrefix}${container.name}`, path);
  }
}

const kinds = { seccomp: ofSeccomp, apparmor: ofAppArmor };

function mismatchOf(
  { type, localhostProfile }: Profile,
  value: string,
  names: typeof ofAppArmor,
): { readonly field: string; readonly what: string } | undefined {
  const otherType = { field: 'type', what: 'type' };
  if (type === 'Unconfined' || type === 'RuntimeDefault') return names[type].includes(value) ? undefined : otherType;
  if (type !== 'Localhost') return undefined;
  if (!value.startsWith(localhost)) return otherType;
  return value.slice(localhost.length) === localhostProfile
    ? undefined
    : { field: 'localhostProfile', what: 'profile' };
}
