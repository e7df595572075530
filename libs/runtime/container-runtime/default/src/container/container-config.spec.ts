import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { variableOfBytes } from '@podwright/container-environment-interface';
import { NamespaceMode, Signal } from '@podwright/cri-client-interface';
import type { Container, PodSpec } from '@podwright/kube-types';
import { container, podWith } from '../fixtures/records.js';
import type { ContainerInput } from './container-config.js';
import { containerConfig } from './container-config.js';
import { readHostFacts } from './host-facts.js';
import { ImageUsers } from './image-user.js';

const settings: ContainerInput['settings'] = {
  rootDir: '/root-dir',
  seccompDefault: false,
  selinuxEnabled: false,
  containerStopSignals: false,
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
    namespaces: {},
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
    host: { maskedPaths: ['/proc/kcore'] },
    resources: { cpuShares: 2n },
    ...input,
  });
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

  it('gives variables the bytes of a secret, whatever they are', () => {
    const bytes = Buffer.of(0xff, 0x61, 0x80);
    const envs = [{ name: 'KEY', value: variableOfBytes(bytes) }];
    const config = configOf({}, {}, { surroundings: { envs, mounts: [], devices: [], annotations: {} } });
    expect(config.envs).toEqual([{ key: 'KEY', value: bytes }]);
  });

  it.each([
    [true, 'SIGRTMIN+3', Signal.SIGRTMINPLUS3],
    [true, undefined, Signal.RUNTIME_DEFAULT],
    [false, 'SIGUSR1', undefined],
  ])('stop signals on: %s, the container asks for %s', (containerStopSignals, stopSignal, expected) => {
    const lifecycle = stopSignal === undefined ? {} : { stopSignal };
    const config = configOf({ lifecycle }, {}, { settings: { ...settings, containerStopSignals } });
    expect(config.stopSignal).toBe(expected);
  });

  it('mounts volumes, then images, then the termination log', () => {
    const config = configOf({ terminationMessagePath: 'x/../t' }, {}, { terminationLog: '/host/t' });
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

  it('shows the files of every mount to the pod’s own users as the node’s root has them', () => {
    const ids = [{ hostId: 65_536, containerId: 0, length: 65_536 }];
    const namespaces = { usernsOptions: { mode: NamespaceMode.POD, uids: ids, gids: ids } };
    const { mounts } = configOf({ terminationMessagePath: '/t' }, {}, { terminationLog: '/host/t', namespaces });
    expect(mounts?.map(({ uidMappings, gidMappings }) => [uidMappings, gidMappings])).toEqual([
      [ids, ids],
      [ids, ids],
      [ids, ids],
    ]);
    const hostUsers = { usernsOptions: { mode: NamespaceMode.NODE } };
    expect(configOf({}, {}, { namespaces: hostUsers }).mounts?.[0]).not.toHaveProperty('uidMappings');
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
  it('finds what must be hidden', async () => {
    const sys = await mkdtemp(join(tmpdir(), 'sys-'));
    for (const path of [
      'devices/system/cpu/cpu10/thermal_throttle',
      'devices/system/cpu/cpu2/thermal_throttle',
      'devices/system/cpu/cpu1',
      'devices/system/cpu/cpufreq',
    ]) {
      await mkdir(join(sys, path), { recursive: true });
    }
    const facts = await readHostFacts(sys);
    expect(facts.maskedPaths.slice(-2)).toEqual([
      '/sys/devices/system/cpu/cpu2/thermal_throttle',
      '/sys/devices/system/cpu/cpu10/thermal_throttle',
    ]);
    expect(facts.maskedPaths).toHaveLength(14);
    await rm(sys, { recursive: true });
    expect((await readHostFacts(sys)).maskedPaths).toHaveLength(12);
  });
});
