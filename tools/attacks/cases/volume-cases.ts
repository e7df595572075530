import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { unmountBelow } from '@podwright/lab';
import { main, podManifest, script } from '../../acceptance/pod-manifests.js';
import { aWhile } from '../../acceptance/wait-for.js';
import { attack } from '../attack.js';
import type { AttackTarget } from '../attack-target.js';

const data = { name: 'data', emptyDir: {} };
const mount = { name: 'data', mountPath: '/data' };
const quickEnd = { terminationGracePeriodSeconds: 1 } as const;

/** What containers with a path out of their volume came to. */
interface Escapes {
  /** True when the container with an honest path ran. */
  readonly proof: boolean;
  /** Paths whose container saw or changed files of the machine. */
  readonly escaped: readonly string[];
  readonly secretIsWhole: boolean;
}

const escapeHarms = ({ proof, escaped, secretIsWhole }: Escapes): readonly string[] => [
  ...(proof ? [] : ['no container with an honest path ran, so nothing was proven']),
  ...escaped.map((each) => `${each} led out of the volume`),
  ...(secretIsWhole ? [] : ['a file of the machine was changed']),
];
const weakEscapes: readonly [Escapes, ...Escapes[]] = [
  { proof: true, escaped: ['subPath link'], secretIsWhole: true },
  { proof: true, escaped: [], secretIsWhole: false },
  { proof: false, escaped: [], secretIsWhole: true },
];

const settled = ({ status }: Pod): boolean =>
  (status?.containerStatuses ?? []).length > 0 &&
  (status?.containerStatuses ?? []).every(
    ({ state }) => state?.waiting === undefined || !/Creating|Initializing/.test(state.waiting.reason ?? 'Creating'),
  );

export const subPathLinks = attack<Escapes>({
  name: 'subpath-links',
  tries:
    'subPath and subPathExpr that lead out of an emptyDir: through absolute and relative links, dots, and variables with dots',
  mustNot: 'the container sees or changes a file of the machine',
  pastFault: 'CVE-2017-1002101',
  attempt: async (target) => {
    const up = '../'.repeat(20);
    const links = [
      `ln -s ${target.dir} /data/absolute`,
      `ln -s ${up}${target.dir.slice(1)} /data/relative`,
      `mkdir /data/in; ln -s ${target.dir} /data/in/deep`,
      `ln -s ${target.secretFile} /data/file`,
      `ln -s /proc/1/root${target.dir} /data/proc`,
      `ln -s absolute /data/twice; mkdir /data/plain; echo honest >/data/plain/secret`,
    ];
    const look = script(`cat /mnt/secret /mnt; echo changed >/mnt/escaped; sleep 1000000`);
    const container = (name: string, volumeMount: object, more: Partial<Container> = {}): Container =>
      main({ name, command: [...look], volumeMounts: [{ name: 'data', mountPath: '/mnt', ...volumeMount }], ...more });
    const bySubPath = ['plain', 'absolute', 'relative', 'in/deep', 'file', 'proc', 'twice'].map((subPath) =>
      container(subPath.replace('/', '-'), { subPath }),
    );
    const byExpression = [`${up}${target.dir}`, target.dir, `in/../../../../..${target.dir}`, 'absolute'].map(
      (value, index) =>
        container(`expression-${index}`, { subPathExpr: '$(WHERE)' }, { env: [{ name: 'WHERE', value }] }),
    );
    const containers = [...bySubPath, ...byExpression];
    const initContainers = [main({ name: 'links', command: [...script(links.join('; '))], volumeMounts: [mount] })];
    await target.node.create(
      podManifest('subpath-links', { ...quickEnd, initContainers, containers, volumes: [data] }),
    );
    await target.node.until('subpath-links', 'has started what it can', settled, { withinMs: 60_000 });
    await aWhile(1_000);
    const escaped: string[] = [];
    for (const { name } of containers) {
      if ((await target.logOf('subpath-links', name)).includes(target.secret)) escaped.push(name);
    }
    if (existsSync(path.join(target.dir, 'escaped'))) escaped.push('a file that a container wrote');
    const proof = (await target.logOf('subpath-links', 'plain')).includes('honest');
    await target.node.delete('subpath-links');
    return { proof, escaped, secretIsWhole: await target.secretIsWhole() };
  },
  harms: escapeHarms,
  weak: weakEscapes,
});

const races = 12;

export const subPathRace = attack<Escapes>({
  name: 'subpath-race',
  tries: `${races} containers mount a subPath while another one replaces that folder by a link without pause`,
  mustNot: 'a container sees a file of the machine',
  pastFault: 'CVE-2021-25741',
  attempt: async (target) => {
    // By renames: a folder that is removed while it is mounted would end containers before they look.
    const swap = `cd /data; mkdir a; ln -s ${target.dir} b; while :; do mv -T a d; usleep 20000; mv -T d a; mv -T b d; mv -T d b; done`;
    const swapper = {
      ...main({ name: 'swapper', command: [...script(swap)], volumeMounts: [mount] }),
      restartPolicy: 'Always',
    };
    const tries = Array.from({ length: races }, (_, index) =>
      main({
        name: `try-${index}`,
        command: [...script('cat /mnt/secret; echo looked; true')],
        volumeMounts: [{ name: 'data', mountPath: '/mnt', subPath: 'd' }],
      }),
    );
    const spec: Partial<PodSpec> = {
      ...quickEnd,
      restartPolicy: 'Never',
      initContainers: [swapper],
      containers: tries,
      volumes: [data],
    };
    await target.node.create(podManifest('subpath-race', spec));
    // A container whose folder is a link at the wrong moment is refused and tried again; a part of them is enough.
    const logs = async (): Promise<string[]> =>
      Promise.all(tries.map(({ name }) => target.logOf('subpath-race', name)));
    await target.node
      .until('subpath-race', 'has tried', ({ status }) => /Succeeded|Failed/.test(status?.phase ?? ''), {
        withinMs: 40_000,
      })
      .catch(() => undefined);
    const seen = await logs();
    if (!seen.some((log) => log.includes('looked')))
      throw new Error(`no container ran: ${JSON.stringify((await target.node.pod('subpath-race'))?.status)}`);
    await target.node.delete('subpath-race');
    return {
      proof: seen.some((log) => log.includes('looked')),
      escaped: tries.filter((_, index) => seen[index]?.includes(target.secret)).map(({ name }) => name),
      secretIsWhole: await target.secretIsWhole(),
    };
  },
  harms: escapeHarms,
  weak: weakEscapes,
});

/** What became of files of the machine when a pod was removed. */
interface Removal {
  readonly removed: boolean;
  readonly kept: number;
  readonly of: number;
}

const keptFiles = 20;

async function folderToKeep(target: AttackTarget, name: string): Promise<string> {
  const folder = path.join(target.dir, name);
  await mkdir(folder);
  for (let index = 0; index < keptFiles; index += 1) await writeFile(path.join(folder, String(index)), 'keep');
  return folder;
}

async function removal(target: AttackTarget, pod: Pod, folder: string): Promise<Removal> {
  const podDir = path.join(target.root, 'pods', podUid(pod));
  const removed = await target.node.kubelet
    .waitFor('the folder of the pod is gone', async () => !existsSync(podDir), { withinMs: 40_000 })
    .then(
      () => true,
      () => false,
    );
  return { removed, kept: (await readdir(folder)).length, of: keptFiles };
}

const removalHarms = ({ removed, kept, of }: Removal): readonly string[] => [
  ...(kept === of ? [] : [`${of - kept} of ${of} files of the machine were removed with the pod`]),
  ...(removed ? [] : ['the folder of the pod was never removed: its disk stays in use']),
];
const weakRemovals: readonly [Removal, ...Removal[]] = [
  { removed: true, kept: 0, of: keptFiles },
  { removed: false, kept: keptFiles, of: keptFiles },
];

export const removalRace = attack<Removal>({
  name: 'removal-race',
  tries:
    'a pod is removed while another one, which can write there, replaces folders of its volume by links to the machine',
  mustNot: 'files behind the links are removed, or the folder of the pod stays',
  pastFault: 'deletion through trees that containers control (CVE-2017-1002102 class)',
  attempt: async (target) => {
    const folder = await folderToKeep(target, 'removal-race');
    const fill =
      'cd /data; for i in $(seq 400); do mkdir -p d$i/0; touch d$i/1 d$i/2; done; touch /tmp/full; sleep 1000000';
    const containers = [
      main({
        command: [...script(fill)],
        volumeMounts: [mount],
        readinessProbe: { exec: { command: ['ls', '/tmp/full'] }, periodSeconds: 1 },
      }),
    ];
    const pod = await target.node.create(podManifest('removed', { ...quickEnd, containers, volumes: [data] }));
    await target.node.untilReady('removed');
    const volume = `/pods/${podUid(pod)}/volumes`;
    const swap =
      `while [ ! -e /pods/go ]; do sleep 0.1; done; n=0; while [ $n -lt 40 ]; do n=$((n+1)); for i in $(seq 400 -7 1); do ` +
      `for v in ${volume}/*/*; do rm -rf $v/d$i 2>/dev/null && ln -snf ${folder} $v/d$i 2>/dev/null; done; done; done; sleep 1000000`;
    const swapper = main({ command: [...script(swap)], volumeMounts: [{ name: 'pods', mountPath: '/pods' }] });
    const volumes = [{ name: 'pods', hostPath: { path: path.join(target.root, 'pods') } }];
    await target.node.create(podManifest('swapper', { ...quickEnd, containers: [swapper], volumes }));
    await target.node.untilReady('swapper');
    await target.inPod('swapper', 'touch /pods/go');
    await target.node.delete('removed');
    await target.node.untilEnded('removed');
    await aWhile(2_000);
    await target.inPod('swapper', 'rm /pods/go');
    await target.node.delete('swapper');
    await target.node.untilGone('swapper');
    return removal(target, pod, folder);
  },
  harms: removalHarms,
  weak: weakRemovals,
});

export const mountInVolume = attack<Removal>({
  name: 'mount-in-volume',
  tries: 'a privileged pod mounts a folder of the machine into its emptyDir, with propagation, and is removed',
  mustNot: 'files of that folder are removed, or the folder of the pod stays',
  pastFault: 'removal across mounts: upstream removes one file system only, for orphaned pods',
  attempt: async (target) => {
    const folder = await folderToKeep(target, 'mount-in-volume');
    const containers = [
      main({
        command: [...script('mkdir /data/m && mount --bind /host /data/m && touch /tmp/done; sleep 1000000')],
        securityContext: { privileged: true },
        readinessProbe: { exec: { command: ['ls', '/tmp/done'] }, periodSeconds: 1 },
        volumeMounts: [
          { ...mount, mountPropagation: 'Bidirectional' },
          { name: 'host', mountPath: '/host' },
        ],
      }),
    ];
    const volumes = [data, { name: 'host', hostPath: { path: folder } }];
    const pod = await target.node.create(podManifest('mounter', { ...quickEnd, containers, volumes }));
    await target.node.untilReady('mounter');
    await target.node.delete('mounter');
    await target.node.untilEnded('mounter');
    // Time for the kubelet to give up or to remove.
    await aWhile(4_000);
    const kept = (await readdir(folder)).length;
    await unmountBelow([path.join(target.root, 'pods', podUid(pod))], () => undefined);
    await target.node.untilGone('mounter', { withinMs: 60_000 });
    return { ...(await removal(target, pod, folder)), kept };
  },
  harms: removalHarms,
  weak: weakRemovals,
});
