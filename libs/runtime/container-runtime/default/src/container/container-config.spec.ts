import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  NamespaceMode,
  SecurityProfile_ProfileType as Profile,
  SupplementalGroupsPolicy,
} from '@podwright/cri-client-interface';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import { container, podWith } from '../fixtures/records.js';
import { expandVariables } from './command-expansion.js';
import type { ContainerInput } from './container-config.js';
import { containerConfig } from './container-config.js';
import { readHostFacts } from './host-facts.js';
import { ImageUsers } from './image-user.js';
import type { ImageUser } from './run-as-non-root.js';

const settings: ContainerInput['settings'] = {
  cpuCfsQuota: true,
  cpuCfsQuotaPeriodMs: 100,
  cgroupVersion: 1,
  singleProcessOomKill: false,
  nodeMemoryBytes: 4 * 1024 ** 3,
  nodeSwapBytes: 0,
  swapControllerAvailable: false,
  memorySwapBehavior: 'NoSwap',
  rootDir: '/root-dir',
  seccompDefault: false,
  selinuxEnabled: false,
};

function configOf(
  more: Partial<Container> = {},
  spec: Partial<PodSpec> = {},
  input: Partial<ContainerInput> = {},
): ReturnType<typeof containerConfig> {
  const app = container('app', more);
  return containerConfig({
    pod: podWith({ containers: [app], ...spec }),
    container: app,
    imageRef: 'sha256:1',
    imageUser: { uid: 0n },
    restartCount: 2,
    surroundings: {
      envs: [
        { name: 'A', value: '1' },
        { name: 'B', value: '$(A)' },
      ],
      mounts: [{ containerPath: '/data', selinuxRelabel: true }],
      devices: [],
      annotations: {},
    },
    imageMounts: [{ containerPath: '/img' }],
    terminationLog: undefined,
    volumeGroups: [],
    targetContainerId: undefined,
    settings,
    host: { hugePageSizes: [], maskedPaths: ['/proc/kcore'] },
    ...input,
  });
}

type Security = NonNullable<NonNullable<ReturnType<typeof containerConfig>['linux']>['securityContext']>;
function securityOf(...args: Parameters<typeof configOf>): Security {
  return configOf(...args).linux?.securityContext ?? {};
}

describe('container configuration', () => {
  it('says what runs, with its variables put in', () => {
    const config = configOf({
      command: ['run', '$(A)/$(B)'],
      args: ['$$(A)', '$(NO)'],
      workingDir: '/w',
      stdin: true,
      tty: true,
    });
    expect(config).toMatchObject({
      metadata: { name: 'app', attempt: 2 },
      image: { image: 'sha256:1', userSpecifiedImage: 'app:1' },
      command: ['run', '1/$(A)'],
      args: ['$(A)', '$(NO)'],
      workingDir: '/w',
      stdin: true,
      stdinOnce: false,
      tty: true,
      logPath: 'app/2.log',
    });
    expect(config.envs?.map(({ key, value }) => `${key}=${Buffer.from(value ?? []).toString()}`)).toEqual([
      'A=1',
      'B=$(A)',
    ]);
  });

  it('mounts volumes, then images, then the termination log', () => {
    const config = configOf({ terminationMessagePath: '/t' }, {}, { terminationLog: '/host/t' });
    expect(config.mounts?.map(({ containerPath }) => containerPath)).toEqual(['/data', '/img', '/t']);
    expect(config.mounts?.[2]).toMatchObject({ hostPath: '/host/t' });
  });

  it.each([true, false])('relabels what asks for it where SELinux is on (%s)', (selinuxEnabled) => {
    const config = configOf(
      { terminationMessagePath: '/t' },
      {},
      { terminationLog: '/host/t', settings: { ...settings, selinuxEnabled } },
    );
    expect(config.mounts?.map(({ selinuxRelabel }) => selinuxRelabel)).toEqual([selinuxEnabled, false, selinuxEnabled]);
  });

  it.each([
    ['$(A)', '1'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$1'],
    ['$(NO) $x $( $', '$(NO) $x $( $'],
    ['$()', '$()'],
    ['$$$$', '$$'],
  ])('expands %s to %s', (text, expected) => {
    expect(expandVariables(text, new Map([['A', '1']]))).toBe(expected);
  });
});

describe('security context', () => {
  it('has upstream’s defaults', () => {
    expect(securityOf()).toMatchObject({
      privileged: false,
      readonlyRootfs: false,
      runAsUser: { value: 0n },
      noNewPrivs: false,
      maskedPaths: ['/proc/kcore'],
      readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
      seccomp: { profileType: Profile.Unconfined },
      supplementalGroupsPolicy: SupplementalGroupsPolicy.Merge,
      namespaceOptions: {
        network: NamespaceMode.POD,
        pid: NamespaceMode.CONTAINER,
        ipc: NamespaceMode.POD,
        usernsOptions: { mode: NamespaceMode.NODE },
      },
    });
    expect(securityOf()).not.toHaveProperty('apparmor');
  });

  it('takes the container’s fields before the pod’s', () => {
    const pod = { runAsUser: 5, runAsGroup: 6, seLinuxOptions: { level: 's0' } };
    expect(securityOf({ securityContext: { runAsUser: 7 } }, { securityContext: pod })).toMatchObject({
      runAsUser: { value: 7n },
      runAsGroup: { value: 6n },
      selinuxOptions: { user: '', role: '', type: '', level: 's0' },
    });
  });

  it('takes over what the container is allowed and denied', () => {
    const securityContext = {
      privileged: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      procMount: 'Unmasked',
      capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
    };
    expect(securityOf({ securityContext })).toMatchObject({
      privileged: true,
      readonlyRootfs: true,
      noNewPrivs: true,
      maskedPaths: [],
      readonlyPaths: [],
      capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] },
    });
  });

  it('lists groups in upstream’s order: fsGroup, the pod’s, the volumes’', () => {
    const securityContext = { fsGroup: 1, supplementalGroups: [2, 3], supplementalGroupsPolicy: 'Strict' };
    const security = securityOf({}, { securityContext }, { volumeGroups: [4] });
    expect(security.supplementalGroups).toEqual([1n, 2n, 3n, 4n]);
    expect(security.supplementalGroupsPolicy).toBe(SupplementalGroupsPolicy.Strict);
  });

  it('uses the image’s user when the spec names none', () => {
    expect(securityOf({}, {}, { imageUser: { uid: 1000n } }).runAsUser).toEqual({ value: 1000n });
    expect(securityOf({}, {}, { imageUser: { username: 'app' } })).toMatchObject({ runAsUsername: 'app' });
    expect(securityOf({}, {}, { imageUser: { username: 'app' } })).not.toHaveProperty('runAsUser');
  });

  it('shares namespaces as the pod says', () => {
    expect(securityOf({}, { hostNetwork: true, hostIPC: true, hostPID: true }).namespaceOptions).toMatchObject({
      network: 2,
      ipc: 2,
      pid: 2,
    });
    expect(securityOf({}, { shareProcessNamespace: true }, { targetContainerId: 'x' }).namespaceOptions).toMatchObject({
      pid: NamespaceMode.POD,
    });
    expect(() => securityOf({}, { hostUsers: false })).toThrow('user namespaces are not supported');
  });

  it.each<[string, Partial<Container>, Partial<PodSpec>, boolean, object]>([
    ['the node’s default', {}, {}, true, { profileType: Profile.RuntimeDefault }],
    [
      'the pod’s',
      {},
      { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
      false,
      { profileType: Profile.RuntimeDefault },
    ],
    [
      'the container’s',
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
      true,
      { profileType: Profile.Unconfined },
    ],
    [
      'a file',
      { securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a/b.json' } } },
      {},
      false,
      { profileType: Profile.Localhost, localhostRef: '/root-dir/seccomp/a/b.json' },
    ],
  ])('seccomp: %s', (_, more, spec, seccompDefault, expected) => {
    expect(securityOf(more, spec, { settings: { ...settings, seccompDefault } }).seccomp).toEqual(expected);
  });

  it.each([
    [{ type: 'Localhost' }, 'localhostProfile must be set if seccompProfile type is Localhost.'],
    [{ type: 'Localhost', localhostProfile: '../../etc/x' }, 'is outside of /root-dir/seccomp'],
    [{ type: 'Wrong' }, 'unknown seccomp profile type: "Wrong"'],
  ])('refuses the seccomp profile %j', (seccompProfile, message) => {
    expect(() => securityOf({ securityContext: { seccompProfile } })).toThrow(message);
  });

  it('says AppArmor twice, for old runtimes too', () => {
    expect(
      securityOf({ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'p' } } }),
    ).toMatchObject({
      apparmor: { profileType: Profile.Localhost, localhostRef: 'p' },
      apparmorProfile: 'localhost/p',
    });
    const annotated = (value: string): Pod =>
      podWith({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/app': value } });
    expect(securityOf({}, {}, { pod: annotated('runtime/default') })).toMatchObject({
      apparmorProfile: 'runtime/default',
    });
    expect(() => securityOf({}, {}, { pod: annotated('wrong') })).toThrow('unknown apparmor profile type: "wrong"');
    expect(() => securityOf({ securityContext: { appArmorProfile: { type: 'Localhost' } } })).toThrow(
      'missing localhost apparmor profile name',
    );
  });

  const where = '(pod: "web_default(uid-1)", container: app)';
  it.each<[number | undefined, ImageUser, string | undefined]>([
    [0, { uid: 5n }, `container's runAsUser breaks non-root policy ${where}`],
    [7, { uid: 0n }, undefined],
    [undefined, { uid: 7n }, undefined],
    [undefined, { uid: 0n }, `container has runAsNonRoot and image will run as root ${where}`],
    [
      undefined,
      { username: 'app' },
      `container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root ${where}`,
    ],
    [
      undefined,
      { uid: 4_294_967_295n },
      `container has runAsNonRoot and image has an invalid user id (4294967295). (Must be 1-(2147483647)): must be between 0 and 2147483647, inclusive ${where}`,
    ],
  ])('runAsNonRoot with user %s and image user %j', (runAsUser, imageUser, message) => {
    const securityContext = { runAsNonRoot: true, ...(runAsUser === undefined ? {} : { runAsUser }) };
    const make = (): Security => securityOf({ securityContext }, {}, { imageUser });
    if (message === undefined) expect(make).not.toThrow();
    else expect(make).toThrow(message);
  });
});

describe('image user', () => {
  it('is asked once per image id, and is root for an image that names nobody', async () => {
    let calls = 0;
    const image = {
      id: '',
      repoTags: [],
      repoDigests: [],
      size: 0n,
      uid: undefined,
      username: '',
      spec: undefined,
      pinned: false,
    };
    const users = new ImageUsers({
      imageStatus: async () => {
        calls += 1;
        return { image, info: {} };
      },
    });
    const id = `sha256:${'a'.repeat(64)}`;
    expect([await users.userOf(id), await users.userOf(id)]).toEqual([{ uid: 0n }, { uid: 0n }]);
    expect(calls).toBe(1);
    await users.userOf('tag:1');
    await users.userOf('tag:1');
    expect(calls).toBe(3);
  });
});

describe('facts of the host', () => {
  it('finds huge pages and what must be hidden', async () => {
    const sys = await mkdtemp(join(tmpdir(), 'sys-'));
    for (const path of [
      'kernel/mm/hugepages/hugepages-2048kB',
      'kernel/mm/hugepages/hugepages-1048576kB',
      'devices/system/cpu/cpu10/thermal_throttle',
      'devices/system/cpu/cpu2/thermal_throttle',
      'devices/system/cpu/cpu1',
      'devices/system/cpu/cpufreq',
    ]) {
      await mkdir(join(sys, path), { recursive: true });
    }
    const facts = await readHostFacts(sys);
    expect([...facts.hugePageSizes].sort()).toEqual(['1GB', '2MB']);
    expect(facts.maskedPaths.slice(-2)).toEqual([
      '/sys/devices/system/cpu/cpu2/thermal_throttle',
      '/sys/devices/system/cpu/cpu10/thermal_throttle',
    ]);
    expect(facts.maskedPaths).toHaveLength(14);
    await rm(sys, { recursive: true });
    expect((await readHostFacts(sys)).maskedPaths).toHaveLength(12);
  });
});
