import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { podUid, type ContainerStatus, type Pod } from '@podwright/kube-types';
import { labImages } from '@podwright/lab';
import { askApi } from './kubelet-api.js';
import { main, podManifest, script, type PodManifest } from './pod-manifests.js';
import type { ContainerRecord, SandboxRecord } from './runtime-view.js';
import { defaultRuntime, type TestLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { untilHolds } from './wait-for.js';

/** What the cases find; it is the runtime's, the kubelet only passes it on. */
const ofRuntime = {
  containerd: {
    /** Where images are; the kubelet takes the file system of that folder. */
    images: 'io.containerd.snapshotter.v1.overlayfs',
    /** Whether the runtime names a file system of containers. Without one, it is that of images. */
    namesContainerFs: false,
    /** Bytes of a line in the log; a longer one has several parts. */
    longestLine: 16_384,
    /** Whether an ended container keeps its cgroup, and so its series, until it is removed. */
    keepsCgroups: false,
    /** The `container` label of a sandbox. */
    sandbox: '',
    /** The `name` label of a container or a sandbox. */
    nameOf: ({ id }: SandboxRecord | ContainerRecord): string => id,
    checkpoint: 'CRIU binary not found or too old',
  },
  'cri-o': {
    images: 'overlay-images',
    namesContainerFs: true,
    longestLine: 8_192,
    keepsCgroups: true,
    sandbox: 'POD',
    nameOf: ({ pod, podUid: uid, attempt, ...record }: SandboxRecord | ContainerRecord): string =>
      `k8s_${'name' in record ? record.name : 'POD'}_${pod}_default_${uid}_${attempt}`,
    checkpoint: 'checkpoint/restore support not available',
  },
}[defaultRuntime];

const longLine = 'x'.repeat(40_000);
const writtenBytes = 65_536;
const statusOf = ({ status }: Pod, name: string): ContainerStatus | undefined =>
  status?.containerStatuses?.find((each) => each.name === name);
const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running';
const ranTwice = (pod: Pod): boolean => {
  const status = statusOf(pod, 'main');
  return status?.restartCount === 1 && status.state?.running !== undefined;
};

/** The pods of {@link runtimeCases}, on a node with the gate ContainerStopSignals. `host` is a folder of the machine. */
export function runtimePods(host: string): readonly PodManifest[] {
  const notes = { volumeMounts: [{ name: 'notes', mountPath: '/notes' }] };
  const noting = (name: string, lifecycle: object) => {
    const traps = `for s in USR1 USR2 TERM; do trap "echo $s >/notes/${name}; exit 0" $s; done`;
    const command = [...script(`${traps}; sleep 1000000 & wait`)];
    return main({ name, image: labImages.stopSignal, command, lifecycle, ...notes });
  };
  const once = '[ -e /notes/was ] || { touch /notes/was; exit 4; }';
  const write = `head -c ${writtenBytes} /dev/zero >/written`;
  return [
    podManifest('signals', {
      os: { name: 'linux' },
      containers: [noting('image', {}), noting('own', { stopSignal: 'SIGUSR2' })],
      volumes: [{ name: 'notes', hostPath: { path: path.join(host, 'signals'), type: 'DirectoryOrCreate' } }],
    }),
    podManifest('users', {
      containers: [
        main({ name: 'number', image: labImages.numericUser }),
        main({ name: 'name', image: labImages.namedUser }),
      ],
    }),
    podManifest('twice', {
      containers: [
        main({
          command: [...script(`echo ${longLine}; ${once}; ${write}; trap "exit 0" TERM; sleep 1000000 & wait`)],
          ...notes,
        }),
      ],
      volumes: [{ name: 'notes', emptyDir: {} }],
    }),
  ];
}

interface FsStats {
  readonly capacityBytes?: number;
  readonly usedBytes?: number;
}
interface Summary {
  readonly node: { readonly runtime: { readonly imageFs: FsStats; readonly containerFs: FsStats } };
  readonly pods: readonly {
    readonly podRef: { readonly name: string };
    readonly network?: { readonly rxBytes?: number };
    readonly containers: readonly {
      readonly name: string;
      readonly cpu?: { readonly usageCoreNanoSeconds?: number };
      readonly memory?: { readonly rssBytes?: number };
      readonly rootfs?: FsStats;
      readonly logs?: FsStats;
    }[];
  }[];
}

/** Cases that name what differs by runtime, for both. */
export function runtimeCases(bed: () => TestLab, of: () => { readonly node: TestNode; readonly host: string }): void {
  const summaryOf = async (pod: string) => {
    const { node } = of();
    // A summary may be a few seconds old.
    return node.waitFor(`${pod} is in the summary`, async () => {
      const summary = JSON.parse(await node.kubelet.ask('/stats/summary')) as Summary;
      const found = summary.pods.find(({ podRef }) => podRef.name === node.podName(pod));
      return found !== undefined && { summary, found };
    });
  };
  /** False for an older containerd. */
  const isAtLeast = async (major: number, minor: number): Promise<boolean> => {
    const { runtimeVersion } = await bed().runtime.client.version({});
    const [ofThis = 0, minorOfThis = 0] = runtimeVersion.split('.').map(Number);
    return defaultRuntime !== 'containerd' || ofThis > major || (ofThis === major && minorOfThis >= minor);
  };

  it('reports the users that its images name by number and by name', async () => {
    const pod = await of().node.waitForPod('users', 'runs', isRunning);
    // Group 2000 is what the image's own /etc/group adds.
    const user = { linux: { uid: 1000, gid: 1000, supplementalGroups: [1000, 2000] } };
    const reported = (await isAtLeast(2, 0)) ? user : undefined;
    expect(['number', 'name'].map((name) => statusOf(pod, name)?.user)).toEqual([reported, reported]);
  });

  it('has one log for each attempt, with parts of lines that are too long', async () => {
    const { node } = of();
    const { runtime } = bed();
    const pod = await node.waitForPod('twice', 'ran twice', ranTwice);
    const folder = path.join(node.dir, 'pod-logs', `default_${node.podName('twice')}_${podUid(pod)}`, 'main');
    const records = await runtime.containers(node.podName('twice'));
    expect(records.map(({ attempt }) => attempt)).toEqual([0, 1]);
    for (const { id, attempt } of records) {
      const { logPath } = await runtime.status(id);
      expect(logPath).toBe(path.join(folder, `${attempt}.log`));
      await untilHolds(async () => {
        const lines = (await readFile(logPath, 'utf8')).split('\n').filter((line) => line !== '');
        const parts = lines.map((line) => /^\S+ stdout ([PF]) (x+)$/.exec(line) ?? []);
        expect(parts.map(([, tag]) => tag).join('')).toMatch(/^P+F$/);
        expect(parts.map(([, , text]) => text).join('')).toBe(longLine);
        expect(Math.max(...parts.map(([, , text = '']) => text.length))).toBe(ofRuntime.longestLine);
      });
    }
  });

  it('is in the summary, from the runtime or from cgroups', async () => {
    const { node } = of();
    await node.waitForPod('twice', 'ran twice', ranTwice);
    await untilHolds(async () => {
      const { found } = await summaryOf('twice');
      expect(found.network?.rxBytes).toBeGreaterThan(0);
      // The ended container is not there.
      expect(found.containers.map(({ name }) => name)).toEqual(['main']);
      const [{ cpu, memory, rootfs, logs } = { cpu: {} }] = found.containers;
      expect(cpu?.usageCoreNanoSeconds).toBeGreaterThan(0);
      expect(memory?.rssBytes).toBeGreaterThan(0);
      // Both logs. A file system gives blocks.
      expect(logs?.usedBytes).toBeGreaterThan(2 * longLine.length);
      // containerd measures the layers of containers each 10 s, CRI-O when it is asked.
      expect(rootfs?.usedBytes).toBeGreaterThanOrEqual(defaultRuntime === 'cri-o' ? writtenBytes : 0);
    });
    // As upstream, whatever the runtime: the gate PodAndContainerStatsFromCRI decides.
    expect(await node.kubelet.ask('/metrics')).toContain('kubelet_metrics_provider{provider="cadvisor"} 1');
  });

  it('has its images and layers on the file systems that the runtime names', async () => {
    const { runtime, lab } = bed();
    const { imageFilesystems, containerFilesystems } = await runtime.client.imageFsInfo({});
    const images = path.join(lab.layout.rootDir, ofRuntime.images);
    expect(imageFilesystems.map(({ fsId }) => fsId?.mountpoint)).toEqual([images]);
    // As long as CRI-O has no store of its own for images, it names the same folder twice.
    expect(containerFilesystems.map(({ fsId }) => fsId?.mountpoint)).toEqual(
      ofRuntime.namesContainerFs ? [images] : [],
    );
    const { summary } = await summaryOf('twice');
    const { imageFs, containerFs } = summary.node.runtime;
    expect(imageFs.capacityBytes).toBeGreaterThan(0);
    expect(containerFs).toEqual(imageFs);
  });

  it('has series in /metrics/cadvisor for each cgroup that the runtime keeps', async () => {
    const { node } = of();
    await node.waitForPod('twice', 'ran twice', ranTwice);
    const { runtime } = bed();
    const [ended = '', running = ''] = (await runtime.containers(node.podName('twice'))).map(ofRuntime.nameOf);
    const sandboxes = (await runtime.sandboxes(node.podName('twice'))).map(ofRuntime.nameOf);
    const series = async (family: string, container: string): Promise<ReadonlyMap<string, number>> => {
      const lines = (await node.kubelet.ask('/metrics/cadvisor')).split('\n');
      const labels = [`{container="${container}",`, `,pod="${node.podName('twice')}"}`];
      const found = lines.filter((line) => line.startsWith(family) && labels.every((label) => line.includes(label)));
      return new Map(
        found.map((line) => [
          /,name="([^"]*)"/.exec(line)?.[1] ?? '',
          Number(/\} (\S+)/.exec(line)?.[1] ?? Number.NaN),
        ]),
      );
    };
    const rss = await node.waitFor('the container that runs has its series', async () => {
      const found = await series('container_memory_rss', 'main');
      return found.has(running) && found;
    });
    expect(rss.get(running)).toBeGreaterThan(0);
    expect(rss.get(ended)).toBe(ofRuntime.keepsCgroups ? 0 : undefined);
    expect(rss.size).toBe(ofRuntime.keepsCgroups ? 2 : 1);
    await untilHolds(async () => {
      const network = await series('container_network_receive_bytes_total', ofRuntime.sandbox);
      expect([...network.keys()]).toEqual(sandboxes);
    });
  });

  const paths = (process.env['PATH'] ?? '').split(':');
  const itWithoutCriu = paths.some((folder) => existsSync(path.join(folder, 'criu'))) ? it.skip : it;
  itWithoutCriu('gets no checkpoint where there is no CRIU, and the answer has the words of the runtime', async () => {
    const { node } = of();
    await node.waitForPod('twice', 'ran twice', ranTwice);
    const name = node.podName('twice');
    const words = (await isAtLeast(2, 0)) ? ofRuntime.checkpoint : 'code = Unimplemented';
    await expect(askApi(node.kubelet, `/checkpoint/default/${name}/main`, { method: 'POST' })).rejects.toThrow(
      new RegExp(`: 500 checkpointing of default/${name}/main failed \\(rpc error: .*${words}`),
    );
  });

  it('is stopped by the signal of its image, or by its own where the runtime knows that', async () => {
    const { node, host } = of();
    const pod = await node.waitForPod('signals', 'runs', isRunning);
    // containerd reads the signal of a container since 2.3, and reports it. CRI-O reads it and does not report it.
    const reads = await isAtLeast(2, 3);
    expect(['image', 'own'].map((name) => statusOf(pod, name)?.stopSignal)).toEqual(
      reads && defaultRuntime === 'containerd' ? ['SIGUSR1', 'SIGUSR2'] : [undefined, undefined],
    );
    await node.untilPolite(node.podName('signals'));
    await node.remove('signals.json');
    await node.removed('signals');
    const seenBy = (name: string): Promise<string> => readFile(path.join(host, 'signals', name), 'utf8');
    expect(await seenBy('image')).toBe('USR1\n');
    expect(await seenBy('own')).toBe(reads ? 'USR2\n' : 'USR1\n');
  });
}
