import { describe, expect, it } from '@jest/globals';
import {
  NamespaceMode,
  SecurityProfile_ProfileType as Profile,
  SupplementalGroupsPolicy as Policy,
} from '@podwright/cri-client-interface';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import { container, podWith } from '../fixtures/records.js';
import { effectiveSecurity } from './effective-security.js';
import type { ImageUser } from './run-as-non-root.js';
import { verifyRunAsNonRoot } from './run-as-non-root.js';
import { containerSecurityContext } from './security-context.js';
import type { SecurityInput } from './security-context.js';

type Own = NonNullable<Container['securityContext']>;
type OfPod = NonNullable<PodSpec['securityContext']>;
type Result = ReturnType<typeof containerSecurityContext>;

const readonlyPaths = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];
const { POD, CONTAINER, NODE, TARGET } = NamespaceMode;

/** `own` of the container, `ofPod` of the pod; as an API server, the pod has at least an empty one. */
function securityOf(own?: Own, ofPod: OfPod = {}, input: Partial<SecurityInput> = {}): Result {
  const app = container('app', own === undefined ? {} : { securityContext: own });
  const pod = input.pod ?? podWith({ containers: [app], securityContext: ofPod });
  return containerSecurityContext({
    pod,
    container: app,
    effective: effectiveSecurity(pod, app),
    imageUser: { uid: 0n },
    namespaces: { network: POD, ipc: POD, pid: CONTAINER, usernsOptions: { mode: NODE } },
    volumeGroups: [],
    targetContainerId: undefined,
    settings: { rootDir: '/root-dir', seccompDefault: false },
    host: { maskedPaths: ['/proc/kcore'] },
    ...input,
  });
}

const localhost = (profile?: string): { type: string; localhostProfile?: string } => ({
  type: 'Localhost',
  ...(profile === undefined ? {} : { localhostProfile: profile }),
});
const annotated = (value: string, ofPod: OfPod = {}): Partial<SecurityInput> => ({
  pod: podWith(
    { securityContext: ofPod },
    { annotations: { 'container.apparmor.security.beta.kubernetes.io/app': value } },
  ),
});
const seccompDefault = { settings: { rootDir: '/root-dir', seccompDefault: true } };

describe('security context of a container', () => {
  it('is upstream’s for a pod that says nothing', () => {
    expect(securityOf()).toEqual({
      runAsUser: { value: 0n },
      capabilities: undefined,
      privileged: false,
      readonlyRootfs: false,
      selinuxOptions: undefined,
      namespaceOptions: { network: POD, ipc: POD, pid: CONTAINER, usernsOptions: { mode: NODE } },
      supplementalGroups: [],
      supplementalGroupsPolicy: Policy.Merge,
      noNewPrivs: false,
      maskedPaths: ['/proc/kcore'],
      readonlyPaths,
      seccomp: { profileType: Profile.Unconfined },
    });
  });

  it('is the same without any security context of the pod', () => {
    const { securityContext: _, ...spec } = podWith({ containers: [container('app')] }).spec;
    const pod = { ...podWith(), spec };
    expect(securityOf(undefined, {}, { pod })).toEqual(securityOf());
  });

  it.each<[string, Own | undefined, OfPod, Partial<SecurityInput>, Partial<Result>]>([
    // Users and groups
    ['user of the pod', {}, { runAsUser: 5 }, {}, { runAsUser: { value: 5n } }],
    ['user of the container before', { runAsUser: 7 }, { runAsUser: 5 }, {}, { runAsUser: { value: 7n } }],
    ['user 0 of the container before', { runAsUser: 0 }, { runAsUser: 5 }, {}, { runAsUser: { value: 0n } }],
    ['user of the image', {}, {}, { imageUser: { uid: 9n } }, { runAsUser: { value: 9n } }],
    ['user before that of the image', { runAsUser: 7 }, {}, { imageUser: { uid: 9n } }, { runAsUser: { value: 7n } }],
    ['group of the pod', {}, { runAsGroup: 6 }, {}, { runAsGroup: { value: 6n } }],
    ['group of the container before', { runAsGroup: 8 }, { runAsGroup: 6 }, {}, { runAsGroup: { value: 8n } }],
    ['group 0 of the container before', { runAsGroup: 0 }, { runAsGroup: 6 }, {}, { runAsGroup: { value: 0n } }],
    [
      'groups: fsGroup, the pod’s, the volumes’',
      {},
      { supplementalGroups: [2, 3], fsGroup: 1 },
      { volumeGroups: [4] },
      { supplementalGroups: [1n, 2n, 3n, 4n] },
    ],
    ['fsGroup 0 is a group', {}, { fsGroup: 0 }, {}, { supplementalGroups: [0n] }],
    ['groups of the volumes alone', {}, {}, { volumeGroups: [4] }, { supplementalGroups: [4n] }],
    ['policy Merge', {}, { supplementalGroupsPolicy: 'Merge' }, {}, { supplementalGroupsPolicy: Policy.Merge }],
    ['policy Strict', {}, { supplementalGroupsPolicy: 'Strict' }, {}, { supplementalGroupsPolicy: Policy.Strict }],
    // Privileges
    [
      'capabilities',
      { capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] } },
      {},
      {},
      { capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] } },
    ],
    ['no capabilities', { capabilities: {} }, {}, {}, { capabilities: { addCapabilities: [], dropCapabilities: [] } }],
    ['privileged', { privileged: true }, {}, {}, { privileged: true, maskedPaths: ['/proc/kcore'] }],
    ['read-only root', { readOnlyRootFilesystem: true }, {}, {}, { readonlyRootfs: true }],
    ['no escalation', { allowPrivilegeEscalation: false }, {}, {}, { noNewPrivs: true }],
    ['escalation', { allowPrivilegeEscalation: true }, {}, {}, { noNewPrivs: false }],
    ['escalation left open', {}, {}, {}, { noNewPrivs: false }],
    // /proc
    ['procMount Default', { procMount: 'Default' }, {}, {}, { maskedPaths: ['/proc/kcore'], readonlyPaths }],
    ['procMount Unmasked', { procMount: 'Unmasked' }, {}, {}, { maskedPaths: [], readonlyPaths: [] }],
    ['an unknown procMount hides', { procMount: '' }, {}, {}, { maskedPaths: ['/proc/kcore'], readonlyPaths }],
    // SELinux
    [
      'SELinux of the pod',
      {},
      { seLinuxOptions: { level: 's0:c1' } },
      {},
      { selinuxOptions: { user: '', role: '', type: '', level: 's0:c1' } },
    ],
    [
      'SELinux of the container before, as a whole',
      { seLinuxOptions: { type: 't' } },
      { seLinuxOptions: { level: 's0:c1' } },
      {},
      { selinuxOptions: { user: '', role: '', type: 't', level: '' } },
    ],
    // Seccomp
    ['seccomp of the node', {}, {}, seccompDefault, { seccomp: { profileType: Profile.RuntimeDefault } }],
    [
      'seccomp of the pod',
      {},
      { seccompProfile: { type: 'RuntimeDefault' } },
      {},
      { seccomp: { profileType: Profile.RuntimeDefault } },
    ],
    [
      'seccomp of the container before both',
      { seccompProfile: { type: 'Unconfined' } },
      { seccompProfile: { type: 'RuntimeDefault' } },
      seccompDefault,
      { seccomp: { profileType: Profile.Unconfined } },
    ],
    [
      'seccomp from a file',
      { seccompProfile: localhost('a/b.json') },
      {},
      {},
      { seccomp: { profileType: Profile.Localhost, localhostRef: '/root-dir/seccomp/a/b.json' } },
    ],
    // AppArmor, said twice for runtimes that know the old field alone
    [
      'AppArmor of the pod',
      {},
      { appArmorProfile: { type: 'RuntimeDefault' } },
      {},
      { apparmor: { profileType: Profile.RuntimeDefault }, apparmorProfile: 'runtime/default' },
    ],
    [
      'AppArmor of the container before',
      { appArmorProfile: { type: 'Unconfined' } },
      { appArmorProfile: { type: 'RuntimeDefault' } },
      {},
      { apparmor: { profileType: Profile.Unconfined }, apparmorProfile: 'unconfined' },
    ],
    [
      'AppArmor that is loaded on the node',
      { appArmorProfile: localhost('p') },
      {},
      {},
      { apparmor: { profileType: Profile.Localhost, localhostRef: 'p' }, apparmorProfile: 'localhost/p' },
    ],
    ['AppArmor by annotation', {}, {}, annotated('runtime/default'), { apparmorProfile: 'runtime/default' }],
    ['AppArmor by annotation, off', {}, {}, annotated('unconfined'), { apparmorProfile: 'unconfined' }],
    [
      'AppArmor by annotation, of the node',
      {},
      {},
      annotated('localhost/p'),
      { apparmor: { profileType: Profile.Localhost, localhostRef: 'p' }, apparmorProfile: 'localhost/p' },
    ],
    [
      'AppArmor by annotation before the pod’s',
      {},
      {},
      annotated('unconfined', { appArmorProfile: { type: 'RuntimeDefault' } }),
      { apparmorProfile: 'unconfined' },
    ],
    [
      'AppArmor of the container before the annotation',
      { appArmorProfile: { type: 'RuntimeDefault' } },
      {},
      annotated('unconfined'),
      { apparmorProfile: 'runtime/default' },
    ],
    // Others
    [
      'fields for Windows are ignored',
      { windowsOptions: { runAsUserName: 'ContainerAdministrator', hostProcess: true } },
      { windowsOptions: { gmsaCredentialSpecName: 'x' } },
      {},
      { runAsUser: { value: 0n }, privileged: false },
    ],
  ])('%s', (_, own, ofPod, input, expected) => {
    expect(securityOf(own, ofPod, input)).toMatchObject(expected);
  });

  it('names the image’s user, and no number, where it is a name', () => {
    const security = securityOf({}, {}, { imageUser: { username: 'app' } });
    expect(security).toMatchObject({ runAsUsername: 'app' });
    expect(security).not.toHaveProperty('runAsUser');
  });

  it('says nothing of AppArmor where nobody asks for it', () => {
    expect(securityOf()).not.toHaveProperty('apparmor');
    expect(securityOf()).not.toHaveProperty('apparmorProfile');
  });

  it.each<[string, Own, OfPod, Partial<SecurityInput>, string]>([
    [
      'seccomp from no file',
      { seccompProfile: localhost() },
      {},
      {},
      'localhostProfile must be set if seccompProfile type is Localhost.',
    ],
    [
      'seccomp from an empty file name',
      {},
      { seccompProfile: localhost('') },
      {},
      'localhostProfile must be set if seccompProfile type is Localhost.',
    ],
    [
      'seccomp from elsewhere',
      { seccompProfile: localhost('../../etc/x') },
      {},
      {},
      'seccomp profile "../../etc/x" is outside of /root-dir/seccomp',
    ],
    ['an unknown seccomp type', { seccompProfile: { type: 'X' } }, {}, {}, 'unknown seccomp profile type: "X"'],
    ['an empty seccomp type', { seccompProfile: { type: '' } }, {}, {}, 'unknown seccomp profile type: ""'],
    ['AppArmor without a name', { appArmorProfile: localhost() }, {}, {}, 'missing localhost apparmor profile name'],
    ['an unknown AppArmor type', {}, { appArmorProfile: { type: '' } }, {}, 'unknown apparmor profile type: ""'],
    ['an unknown AppArmor annotation', {}, {}, annotated('x'), 'unknown apparmor profile type: "x"'],
    ['an unknown policy', {}, { supplementalGroupsPolicy: 'X' }, {}, 'unsupported supplementalGroupsPolicy: X'],
    ['an empty policy', {}, { supplementalGroupsPolicy: '' }, {}, 'unsupported supplementalGroupsPolicy: '],
  ])('refuses %s', (_, own, ofPod, input, message) => {
    expect(() => securityOf(own, ofPod, input)).toThrow(message);
  });

  it.each<[NamespaceMode, string | undefined, object]>([
    [CONTAINER, undefined, { pid: CONTAINER }],
    [CONTAINER, 'target', { pid: TARGET, targetId: 'target' }],
    // Shared with all containers already.
    [POD, 'target', { pid: POD }],
    [NODE, 'target', { pid: NODE }],
  ])('with processes in mode %s and the target %s', (pid, targetContainerId, expected) => {
    expect(securityOf({}, {}, { namespaces: { pid }, targetContainerId }).namespaceOptions).toEqual(expected);
  });
});

describe('runAsNonRoot', () => {
  const where = '(pod: "web_default(uid-1)", container: app)';
  const asRoot = `container has runAsNonRoot and image will run as root ${where}`;
  it.each<[Own, OfPod, ImageUser, string | undefined]>([
    [{ runAsUser: 0 }, {}, { uid: 5n }, `container's runAsUser breaks non-root policy ${where}`],
    [{}, { runAsUser: 0 }, { uid: 5n }, `container's runAsUser breaks non-root policy ${where}`],
    [{ runAsUser: 7 }, {}, { uid: 0n }, undefined],
    [{}, { runAsUser: 7 }, { username: 'root' }, undefined],
    [{}, {}, { uid: 7n }, undefined],
    [{}, {}, { uid: 2_147_483_647n }, undefined],
    [{}, {}, { uid: 0n }, asRoot],
    [{}, {}, {}, asRoot],
    [
      {},
      {},
      { username: 'app' },
      `container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root ${where}`,
    ],
    [
      {},
      {},
      { uid: 4_294_967_295n },
      `container has runAsNonRoot and image has an invalid user id (4294967295). (Must be 1-(2147483647)): must be between 0 and 2147483647, inclusive ${where}`,
    ],
  ])('of %j in a pod of %j with the image’s user %j', (own, ofPod, imageUser, message) => {
    const verify = (containerSays: boolean): void => {
      const app = container('app', { securityContext: containerSays ? { ...own, runAsNonRoot: true } : own });
      const security = containerSays ? { ...ofPod, runAsNonRoot: false } : { ...ofPod, runAsNonRoot: true };
      const pod: Pod = podWith({ containers: [app], securityContext: security });
      verifyRunAsNonRoot(pod, 'app', effectiveSecurity(pod, app), imageUser);
    };
    for (const containerSays of [true, false]) {
      if (message === undefined) expect(() => verify(containerSays)).not.toThrow();
      else expect(() => verify(containerSays)).toThrow(message);
    }
  });

  it.each<[Own, OfPod]>([
    [{}, {}],
    [{ runAsNonRoot: false }, { runAsNonRoot: true }],
  ])('is not asked for by %j in a pod of %j', (own, ofPod) => {
    const app = container('app', { securityContext: { ...own, runAsUser: 0 } });
    const pod = podWith({ containers: [app], securityContext: ofPod });
    expect(() => verifyRunAsNonRoot(pod, 'app', effectiveSecurity(pod, app), { uid: 0n })).not.toThrow();
  });
});
