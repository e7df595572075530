import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { labImages, labSupport } from '@podwright/lab';
import { ApiPodFile } from './api-pod-file.js';
import { describeAttacks } from './attack-cases.js';
import { expectPodExplained } from './explained.js';
import { main, podManifest, script, untilTerm } from './pod-manifests.js';
import type { ContainerRecord } from './runtime-view.js';
import { defaultRuntime, useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { untilHolds } from './wait-for.js';

const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running';
const waitingOf = ({ status }: Pod, name: string) =>
  status?.containerStatuses?.find((each) => each.name === name)?.state?.waiting;
const secured = (securityContext: NonNullable<Container['securityContext']>, more: Partial<Container> = {}) =>
  main({ ...more, securityContext });

/** What is the runtime's and not the kubelet's. */
const ofRuntime = {
  containerd: {
    // What a container has that asks for nothing.
    capabilities: 0xa80425fbn,
    /** A pod on the host network has the host's UTS namespace. */
    sharesUts: true,
    listsHandler: true,
    cgroup: (id: string) => id,
    unknownHandler: 'no runtime for "no-such-handler" is configured',
  },
  'cri-o': {
    capabilities: 0x5fbn,
    // One of its own, with the host's name.
    sharesUts: false,
    listsHandler: false,
    cgroup: (id: string) => `crio-${id}`,
    unknownHandler: 'failed to find runtime handler no-such-handler from runtime list',
  },
}[defaultRuntime];
const netAdmin = 1n << 12n;
const chown = 1n;
const hex = (capabilities: bigint): string => capabilities.toString(16).padStart(16, '0');
const seccompOff = '0';
const seccompFilter = '2';

const status = (field: string): string => `sed -n 's/^${field}:\\t*//p' /proc/self/status`;
const flagsOf = (mountPoint: string): string =>
  `awk '$2 == "${mountPoint}" {print substr($4, 1, 2); exit}' /proc/mounts`;
const writable = (file: string): string => `if (: >>${file}) 2>/dev/null; then echo yes; else echo no; fi`;

/** Pod by pod: what it says about its security, and what its container `main` then finds by these commands. */
const pods: Readonly<Record<string, { readonly spec: Partial<PodSpec>; readonly finds: readonly [string, string][] }>> =
  {
    plain: {
      spec: {},
      finds: [
        ['id -u; id -g', '0\n0'],
        [status('CapEff'), hex(ofRuntime.capabilities)],
        [status('NoNewPrivs'), '0'],
        [status('Seccomp'), seccompOff],
        [flagsOf('/'), 'rw'],
        [flagsOf('/proc/sys'), 'ro'],
        ['wc -c </proc/interrupts', '0'],
      ],
    },
    users: {
      spec: {
        securityContext: { runAsUser: 1234, runAsGroup: 2345, fsGroup: 3456, supplementalGroups: [4567] },
        containers: [main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
        volumes: [{ name: 'data', emptyDir: {} }],
      },
      finds: [
        ['id -u; id -g; id -G', '1234\n2345\n2345 3456 4567'],
        [status('CapEff'), '0000000000000000'],
        [`stat -c %g /data; echo x >/data/file; stat -c '%u %g' /data/file`, '3456\n1234 3456'],
      ],
    },
    'user-of-image': {
      spec: { containers: [main({ image: labImages.namedUser })] },
      // Group 2000 is what the image's own /etc/group adds.
      finds: [['id -u; id -g; id -G', '1000\n1000\n1000 2000']],
    },
    'container-first': {
      spec: {
        securityContext: { runAsUser: 1234, runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [secured({ runAsUser: 1235, seccompProfile: { type: 'Unconfined' } })],
      },
      finds: [
        ['id -u', '1235'],
        [status('Seccomp'), seccompOff],
      ],
    },
    locked: {
      spec: {
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          secured({
            capabilities: { drop: ['ALL'] },
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
          }),
        ],
      },
      finds: [
        [status('CapEff'), '0000000000000000'],
        [status('CapBnd'), '0000000000000000'],
        [status('NoNewPrivs'), '1'],
        [status('Seccomp'), seccompFilter],
        [flagsOf('/'), 'ro'],
        [writable('/tmp/x'), 'no'],
      ],
    },
    capabilities: {
      spec: { containers: [secured({ capabilities: { add: ['NET_ADMIN'], drop: ['CHOWN'] } })] },
      finds: [[status('CapEff'), hex((ofRuntime.capabilities | netAdmin) & ~chown)]],
    },
    privileged: {
      spec: { containers: [secured({ privileged: true })] },
      finds: [
        [`[ $(( 0x$(${status('CapEff')}) & (1 << 21) )) -ne 0 ] && echo SYS_ADMIN`, 'SYS_ADMIN'],
        [status('Seccomp'), seccompOff],
        [flagsOf('/proc'), 'rw'],
        [flagsOf('/proc/sys'), ''],
        [flagsOf('/sys'), 'rw'],
      ],
    },
    'seccomp-file': {
      spec: {
        containers: [secured({ seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/no-mkdir.json' } })],
      },
      finds: [
        [status('Seccomp'), seccompFilter],
        ['mkdir /tmp/a 2>&1 || true', "mkdir: can't create directory '/tmp/a': Operation not permitted"],
      ],
    },
    sysctls: {
      spec: {
        securityContext: {
          sysctls: [
            { name: 'kernel.shm_rmid_forced', value: '1' },
            { name: 'net.ipv4.ip_local_port_range', value: '20000 30000' },
          ],
        },
      },
      finds: [
        ['cat /proc/sys/kernel/shm_rmid_forced', '1'],
        ['cat /proc/sys/net/ipv4/ip_local_port_range', '20000\t30000'],
      ],
    },
    'shared-processes': {
      spec: {
        shareProcessNamespace: true,
        containers: [main(), main({ name: 'other', command: ['sleep', '7777'] })],
      },
      finds: [
        ['tr "\\0" " " </proc/1/cmdline', '/pause '],
        ['grep -lz "^[7]777" /proc/[0-9]*/cmdline | wc -l', '1'],
      ],
    },
  };

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`security of pods${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let node: TestNode;
  let api: ApiPodFile;

  const container = async (pod: string, name = 'main'): Promise<ContainerRecord> => {
    const found = (await bed().runtime.running(node.podName(pod))).find((each) => each.name === name);
    if (found === undefined) throw new Error(`no running container ${name} in pod ${pod}`);
    return found;
  };

  beforeAll(async () => {
    api = new ApiPodFile(path.join(bed().lab.dir, 'security-pods.json'));
    await api.write();
    node = await bed().startNode('security', {
      assembly: [
        ...api.assembly,
        { name: '@podwright/runtime-class', config: { classes: { usual: 'runc', 'of-nobody': 'no-such-handler' } } },
      ],
    });
    const profiles = path.join(node.dir, 'root/seccomp/profiles');
    await mkdir(profiles, { recursive: true });
    const refused = { names: ['mkdir', 'mkdirat'], action: 'SCMP_ACT_ERRNO' };
    const profile = { defaultAction: 'SCMP_ACT_ALLOW', syscalls: [refused] };
    await writeFile(path.join(profiles, 'no-mkdir.json'), JSON.stringify(profile));
    for (const [name, { spec }] of Object.entries(pods)) await node.add(podManifest(name, spec));
    await node.add(podManifest('host', { hostNetwork: true, hostPID: true, hostIPC: true }));
    await node.add(podManifest('refused', { containers: refusedContainers }));
    const resources = { requests: { memory: '32Mi' }, limits: { cpu: '200m', memory: '64Mi' } };
    const overhead = { cpu: '100m', memory: '32Mi' };
    await node.add(podManifest('usual', { runtimeClassName: 'usual', overhead, containers: [main({ resources })] }));
    await node.add(podManifest('of-nobody', { runtimeClassName: 'of-nobody' }));
    await node.add(podManifest('unknown', { runtimeClassName: 'unknown' }));
  });

  it.each(Object.keys(pods))('%s', async (name) => {
    await node.waitForPod(name, 'runs', isRunning);
    const { id } = await container(name);
    const finds = pods[name]?.finds ?? [];
    await untilHolds(async () => {
      const found: [string, string][] = [];
      for (const [command] of finds) {
        found.push([command, (await bed().runtime.exec(id, ...script(command))).replace(/\n$/, '')]);
      }
      expect(found).toEqual(finds);
    });
  });

  it('an ephemeral container sees the processes of its target, and of nobody else', async () => {
    const { runtime } = bed();
    const containers = ['app', 'other'].map((name) =>
      main({ name, command: ['sleep', name === 'app' ? '5555' : '6666'] }),
    );
    const { metadata } = await api.add(podManifest('debugged', { containers }));
    await node.waitFor('both containers run', async () => (await runtime.running('debugged')).length === 2);
    const ephemeralContainers = ['app', undefined].map((target) => ({
      ...main({ name: `debug-${target ?? 'nobody'}` }),
      ...(target !== undefined && { targetContainerName: target }),
    }));
    await api.update(metadata.uid ?? '', (spec) => ({ ...spec, ephemeralContainers }));
    const seenBy = async (name: string): Promise<string> => {
      const id = await node.waitFor(
        `${name} runs`,
        async () => (await runtime.running('debugged')).find((each) => each.name === name)?.id,
      );
      return runtime.exec(
        id,
        ...script('cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -oE "sleep (5555|6666)" || true'),
      );
    };
    await untilHolds(async () => expect(await seenBy('debug-app')).toBe('sleep 5555\n'));
    expect(await seenBy('debug-nobody')).toBe('');
    await api.remove(metadata.uid ?? '');
  });

  it('a pod in the namespaces of the node is in no others', async () => {
    await node.waitForPod('host', 'runs', isRunning);
    const ofHost = await container('host');
    const own = await container('plain');
    for (const kind of ['net', 'pid', 'ipc', 'uts', 'mnt']) {
      const command = script(`readlink /proc/self/ns/${kind}`);
      const [inHost, inOwn] = await Promise.all(
        [ofHost, own].map(async ({ id }) => (await bed().runtime.exec(id, ...command)).trim()),
      );
      const onNode = await readlink(`/proc/self/ns/${kind}`);
      // The host name goes with the network.
      const shared = kind === 'uts' ? ofRuntime.sharesUts : kind !== 'mnt';
      expect([kind, inHost === onNode]).toEqual([kind, shared]);
      expect([kind, inOwn === onNode]).toEqual([kind, false]);
    }
  });

  // What the pods' own events and statuses say, word by word.
  const where = (name: string): string => `(pod: "POD", container: ${name})`;
  const refusedContainers: Container[] = [
    secured({ runAsNonRoot: true, runAsUser: 0 }, { name: 'by-number', command: [...untilTerm] }),
    secured({ runAsNonRoot: true }, { name: 'by-image', command: [...untilTerm] }),
    secured({ runAsNonRoot: true }, { name: 'by-name', image: labImages.namedUser }),
  ];
  it.each([
    ['by-number', `container's runAsUser breaks non-root policy ${where('by-number')}`],
    ['by-image', `container has runAsNonRoot and image will run as root ${where('by-image')}`],
    [
      'by-name',
      `container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root ${where('by-name')}`,
    ],
  ])('a container that must not be root and would be does not run: %s', async (name, text) => {
    const pod = await node.waitForPod('refused', 'waits', (each) => waitingOf(each, name)?.message !== undefined);
    const message = text.replace('POD', `${node.podName('refused')}_default(${podUid(pod)})`);
    expect(waitingOf(pod, name)).toEqual({ reason: 'CreateContainerConfigError', message });
    expect(
      (await node.events('refused', 'Failed')).some((line) => line.includes(JSON.stringify(`Error: ${message}`))),
    ).toBe(true);
    await expectPodExplained(node, node.podName('refused'), 'run-as-root-refused');
  });

  it('a pod runs with the handler of its runtime class', async () => {
    await node.waitForPod('usual', 'runs', isRunning);
    const { items } = await bed().runtime.client.listPodSandbox({});
    const handlers = ['usual', 'plain'].map(
      (name) => items.find(({ metadata }) => metadata?.name === node.podName(name))?.runtimeHandler,
    );
    expect(handlers).toEqual([ofRuntime.listsHandler ? 'runc' : '', '']);
    const metrics = await node.kubelet.ask('/metrics');
    expect(metrics).toContain('kubelet_run_podsandbox_duration_seconds_count{runtime_handler="runc"} 1');
  });

  it('a pod is given its overhead on top of what its containers have', async () => {
    const pod = await node.waitForPod('usual', 'runs', isRunning);
    const { id } = await container('usual');
    const memoryOf = async (folder: string): Promise<string> => {
      const files = [`/sys/fs/cgroup/memory${folder}/memory.limit_in_bytes`, `/sys/fs/cgroup${folder}/memory.max`];
      const contents = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
      return contents.join('').trim();
    };
    const ofPod = `${bed().lab.cgroupRoot}/kubepods/burstable/pod${podUid(pod)}`;
    expect(await memoryOf(ofPod)).toBe(String(96 * 1024 ** 2));
    expect(await memoryOf(`${ofPod}/${ofRuntime.cgroup(id)}`)).toBe(String(64 * 1024 ** 2));
  });

  it.each([
    ['unknown', 'Failed to create pod sandbox: runtimeclass.node.k8s.io "unknown" not found'],
    ['of-nobody', ofRuntime.unknownHandler],
  ])('a pod of the class %s does not run', async (name, text) => {
    await node.waitFor('the event', async () => {
      const events = await node.events(name, 'FailedCreatePodSandBox');
      return events.some((line) => line.includes(JSON.stringify(text).slice(1, -1)));
    });
    expect(await bed().runtime.sandboxes(node.podName(name))).toEqual([]);
    await expectPodExplained(node, node.podName(name), 'runtime-class-missing', { page: `runtime-class-${name}` });
  });

  // Last: it ends the kubelet of the cases above.
  describeAttacks(bed);
});
