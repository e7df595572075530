import { join } from 'node:path';
import type { DeepPartial, SecurityProfile } from '@podwright/cri-client-interface';
import { SecurityProfile_ProfileType as ProfileType } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';

type Profile = DeepPartial<SecurityProfile>;

export interface SeccompSettings {
  readonly rootDir: string;
  readonly seccompDefault: boolean;
}

/**
 * The seccomp profile of a container. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers.go getSeccompProfile.
 */
export function seccompProfile(pod: Pod, container: Container, settings: SeccompSettings): Profile {
  const wanted = container.securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
  if (wanted === undefined) {
    return { profileType: settings.seccompDefault ? ProfileType.RuntimeDefault : ProfileType.Unconfined };
  }
  if (wanted.type === 'RuntimeDefault') return { profileType: ProfileType.RuntimeDefault };
  if (wanted.type === 'Unconfined') return { profileType: ProfileType.Unconfined };
  const invalid = (message: string): KubeletError => new KubeletError(message, { code: 'invalid-argument' });
  // An unknown type must not leave the container unconfined.
  if (wanted.type !== 'Localhost') throw invalid(`unknown seccomp profile type: ${JSON.stringify(wanted.type)}`);
  const name = wanted.localhostProfile ?? '';
  if (name === '') throw invalid('localhostProfile must be set if seccompProfile type is Localhost.');
  const root = join(settings.rootDir, 'seccomp');
  const path = join(root, name);
  if (!path.startsWith(`${root}/`)) throw invalid(`seccomp profile ${JSON.stringify(name)} is outside of ${root}`);
  return { profileType: ProfileType.Localhost, localhostRef: path };
}

/** The profile, and the string form for older runtimes. */
export interface AppArmor {
  readonly apparmor?: Profile;
  readonly apparmorProfile?: string;
}

const annotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const localhostPrefix = 'localhost/';

/**
 * The container's field, else the old annotation, else the pod's field: for a static pod, no API server has converted
 * annotations to fields. Source: kubernetes v1.36 pkg/security/apparmor/helpers.go GetProfile.
 */
export function appArmorProfile(pod: Pod, container: Container): AppArmor {
  const wanted =
    container.securityContext?.appArmorProfile ??
    fromAnnotation(pod.metadata.annotations?.[annotationPrefix + container.name]) ??
    pod.spec.securityContext?.appArmorProfile;
  if (wanted === undefined) return {};
  switch (wanted.type) {
    case 'RuntimeDefault':
      return { apparmor: { profileType: ProfileType.RuntimeDefault }, apparmorProfile: 'runtime/default' };
    case 'Unconfined':
      return { apparmor: { profileType: ProfileType.Unconfined }, apparmorProfile: 'unconfined' };
    case 'Localhost': {
      const name = wanted.localhostProfile;
      if (name === undefined) {
        throw new KubeletError('missing localhost apparmor profile name', { code: 'invalid-argument' });
      }
      return {
        apparmor: { profileType: ProfileType.Localhost, localhostRef: name },
        apparmorProfile: localhostPrefix + name,
      };
    }
    default:
      throw new KubeletError(`unknown apparmor profile type: ${JSON.stringify(wanted.type)}`, {
        code: 'invalid-argument',
      });
  }
}

function fromAnnotation(value: string | undefined): { type: string; localhostProfile?: string } | undefined {
  if (value === undefined || value === '') return undefined;
  if (value === 'runtime/default') return { type: 'RuntimeDefault' };
  if (value === 'unconfined') return { type: 'Unconfined' };
  if (value.startsWith(localhostPrefix)) {
    return { type: 'Localhost', localhostProfile: value.slice(localhostPrefix.length) };
  }
  return { type: value };
}
