import { visitContainers, type Container, type Pod } from '@podwright/kube-types';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { refusal, type Refusal } from '../refusal.js';

type Profile = NonNullable<NonNullable<Container['securityContext']>['appArmorProfile']>;

const annotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** Whether the kernel below `hostRoot` enforces AppArmor profiles. Never rejects. */
export async function appArmorEnabled(hostRoot: string): Promise<boolean> {
  try {
    await access(path.join(hostRoot, 'sys/kernel/security/apparmor'));
    const enabled = await readFile(path.join(hostRoot, 'sys/module/apparmor/parameters/enabled'), 'utf8');
    return enabled.length > 1 && enabled.startsWith('Y');
  } catch {
    return false; // no such file: a kernel without AppArmor
  }
}

/**
 * Rejects a pod that requests a profile which this machine cannot enforce. Calls `enabled` only when needed; does not
 * check a pod that has left Pending. Source: kubernetes v1.36 pkg/security/apparmor/validate.go.
 */
export async function checkAppArmor(pod: Pod, enabled: () => Promise<boolean>): Promise<Refusal | undefined> {
  if (pod.status?.phase !== 'Pending' || !isRequired(pod)) return undefined;
  if (!(await enabled())) return cannot('AppArmor is not enabled on the host');
  for (const { container } of visitContainers(pod.spec)) {
    const profile =
      container.securityContext?.appArmorProfile ??
      pod.spec.securityContext?.appArmorProfile ??
      fromAnnotation(pod.metadata.annotations?.[annotationPrefix + container.name]);
    if (profile?.type === 'Localhost' && (profile.localhostProfile ?? '').trim() === '') {
      return cannot(`invalid empty AppArmor profile name: ${JSON.stringify(goText(profile))}`);
    }
  }
  return undefined;
}

function isRequired(pod: Pod): boolean {
  const confines = (profile: Profile | undefined): boolean => profile !== undefined && profile.type !== 'Unconfined';
  if (confines(pod.spec.securityContext?.appArmorProfile)) return true;
  for (const { container } of visitContainers(pod.spec)) {
    if (confines(container.securityContext?.appArmorProfile)) return true;
  }
  return Object.entries(pod.metadata.annotations ?? {}).some(
    ([key, value]) => key.startsWith(annotationPrefix) && value !== 'unconfined',
  );
}

function fromAnnotation(value: string | undefined): Profile | undefined {
  if (value === undefined || !value.startsWith('localhost/')) return undefined;
  return { type: 'Localhost', localhostProfile: value.slice('localhost/'.length) };
}

// Upstream prints the whole struct.
function goText({ type, localhostProfile }: Profile): string {
  const name = localhostProfile === undefined ? 'nil' : `*${localhostProfile}`;
  return `&AppArmorProfile{Type:${type},LocalhostProfile:${name},}`;
}

function cannot(problem: string): Refusal {
  return refusal('AppArmor', `Cannot enforce AppArmor: ${problem}`);
}
