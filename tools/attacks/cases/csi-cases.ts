import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodes } from '@podwright/kube-client-interface';
import { VolumeUsage_Unit as units, type NodeServiceCapability_RPC_Type } from '@podwright/volume-csi-interface';
import { TestCsiDriver } from '@podwright/test-csi-driver';
import { main, podManifest, type PodManifest } from '../../acceptance/pod-manifests.js';
import { aWhile, waitFor } from '../../acceptance/wait-for.js';
import { attack } from '../attack.js';
import { allowInline, HostileCsiDriver } from '../hostile-csi-driver.js';
import { unreadableNumbers } from './runtime-answer-cases.js';

const escapes = '\u001b[2J\u001b]0;owned\u0007';
const group = 54_321;

const uses = (name: string, driver: string): PodManifest =>
  podManifest(name, {
    terminationGracePeriodSeconds: 1,
    securityContext: { fsGroup: group },
    containers: [main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
    volumes: [{ name: 'data', csi: { driver } }],
  });

const registered = (driver: HostileCsiDriver): Promise<unknown> =>
  waitFor('the kubelet answers the driver', async () => driver.accepted !== undefined);

interface Linked {
  readonly published: boolean;
  readonly group: number;
  readonly mode: number;
  readonly whole: boolean;
  readonly answers: boolean;
}

export const publishedLink = attack<Linked>({
  name: 'csi-target-link',
  tries: 'a CSI driver that leaves a link to a folder of the machine where the volume of a pod with fsGroup should be',
  mustNot: "the kubelet gives that folder to the pod's group, or removes files there with the pod",
  pastFault: 'CVE-2017-1002102 class: a link in place of a volume',
  attempt: async (target) => {
    const name = 'links.example.com';
    const folder = path.join(target.dir, 'of-the-machine');
    const file = path.join(folder, 'kept');
    await mkdir(folder, { recursive: true });
    await writeFile(file, target.secret, { mode: 0o600 });
    let published = false;
    const driver = await HostileCsiDriver.start(target.root, name, {
      nodeGetInfo: () => ({ nodeId: 'node' }),
      nodePublishVolume: async ({ targetPath }) => {
        await rm(targetPath, { recursive: true, force: true });
        await symlink(folder, targetPath);
        published = true;
        return {};
      },
    });
    try {
      await allowInline(target.node.admin, name);
      await registered(driver);
      await target.node.create(uses('csi-link', name));
      await waitFor('the volume is published', async () => published, { withinMs: 30_000 }).catch(() => false);
      await target.node.untilReady('csi-link', { withinMs: 8_000 }).catch(() => undefined);
      const { gid, mode } = await stat(file).catch(() => ({ gid: -1, mode: 0 }));
      await target.node.delete('csi-link');
      await target.node.untilGone('csi-link', { withinMs: 60_000 }).catch(() => undefined);
      const whole = (await readFile(file, 'utf8').catch(() => '')) === target.secret;
      return { published, group: gid, mode: mode & 0o777, whole, answers: await target.answers() };
    } finally {
      await driver.stop();
    }
  },
  harms: ({ published, group: gid, mode, whole, answers }) => [
    ...(published ? [] : ['no volume was published, so nothing was proven']),
    ...(gid === 0 ? [] : [`a file of the machine belongs to group ${gid}`]),
    ...(mode === 0o600 ? [] : [`a file of the machine has mode ${mode.toString(8)}`]),
    ...(whole ? [] : ['a file of the machine was removed or changed']),
    ...(answers ? [] : ['the kubelet no longer answers']),
  ],
  weak: [
    { published: true, group, mode: 0o600, whole: true, answers: true },
    { published: true, group: 0, mode: 0o660, whole: true, answers: true },
    { published: true, group: 0, mode: 0o600, whole: false, answers: true },
    { published: true, group: 0, mode: 0o600, whole: true, answers: false },
    { published: false, group: 0, mode: 0o600, whole: true, answers: true },
  ],
});

interface Answered {
  /** Why the pod does not run; empty when it does. */
  readonly obstacle: string;
  readonly summary: number;
  readonly unreadable: readonly string[];
  readonly hostname: string;
  readonly rawEscapes: boolean;
  readonly answers: boolean;
  readonly grownMiB: number;
}

const mostGrownMiB = 150;

export const driverAnswers = attack<Answered>({
  name: 'csi-answers',
  tries:
    'a CSI driver with statistics below zero and beyond 64 bits, a hundred thousand capabilities, the hostname of another node as topology, and long failures with escapes',
  mustNot:
    'the summary fails or has numbers that break its readers, the node gets another hostname, the log has raw escapes, or the kubelet grows or ends',
  pastFault: 'overflows and panics by answers of CSI drivers',
  attempt: async (target) => {
    const name = 'answers.example.com';
    const before = await target.memoryMiB();
    const numbers = [-(2n ** 63n), 2n ** 63n - 1n, -1n].map((each) => ({ available: each, total: each, used: each }));
    const usage = [units.BYTES, units.INODES].flatMap((unit) => numbers.map((each) => ({ ...each, unit })));
    let refusals = 2;
    const many = Array.from({ length: 100_000 }, (_, index) => ({
      rpc: { type: (index - 50) as NodeServiceCapability_RPC_Type },
    }));
    const start = (hostname: string): Promise<HostileCsiDriver> =>
      HostileCsiDriver.start(target.root, name, {
        nodeGetInfo: () => ({
          nodeId: escapes,
          maxVolumesPerNode: -5n,
          accessibleTopology: { segments: hostname === '' ? {} : { 'kubernetes.io/hostname': hostname } },
        }),
        nodeGetCapabilities: () => ({ capabilities: many }),
        nodeGetVolumeStats: () => ({ usage, volumeCondition: { abnormal: true, message: escapes } }),
        nodePublishVolume: async ({ targetPath }) => {
          if (refusals-- > 0) throw new Error(`${escapes}\nforged line ${'x'.repeat(8_000)}`);
          await mkdir(targetPath, { recursive: true });
          return {};
        },
      });
    await allowInline(target.node.admin, name);
    let driver = await start('another-node');
    try {
      await registered(driver);
      await driver.stop();
      driver = await start('');
      await registered(driver);
      await target.node.create(uses('csi-answers', name));
      const ready = target.node.untilReady('csi-answers', { withinMs: 60_000 });
      const isReady = await ready.then(
        () => true,
        () => false,
      );
      const summaryOf = () => target.call({ path: '/stats/summary' }, 'operator');
      await summaryOf();
      await aWhile(2_000);
      const summary = await summaryOf();
      const events = await target.node.events('csi-answers');
      const labels = (await target.node.find(nodes, { name: target.node.name }))?.metadata?.labels ?? {};
      await target.node.delete('csi-answers');
      await target.node.untilGone('csi-answers', { withinMs: 60_000 }).catch(() => undefined);
      return {
        obstacle: isReady ? '' : (events.at(-1)?.message ?? 'no event').slice(0, 300),
        ...{ summary: summary.status, unreadable: unreadableNumbers(summary.body) },
        hostname: labels['kubernetes.io/hostname'] ?? '',
        rawEscapes: (await target.log()).includes(escapes.slice(0, 4)),
        answers: await target.answers(),
        grownMiB: (await target.memoryMiB()) - before,
      };
    } finally {
      await driver.stop();
    }
  },
  harms: ({ obstacle, summary, unreadable, hostname, rawEscapes, answers, grownMiB }) => [
    ...(obstacle === '' ? [] : [`the pod never ran, so nothing was proven: ${JSON.stringify(obstacle)}`]),
    ...(summary === 200 ? [] : [`the summary of the whole node is answered with ${summary}`]),
    ...unreadable.slice(0, 3).map((number) => `the summary has ${number}, which its readers refuse`),
    ...(hostname === 'another-node' ? ['the node has the hostname that the driver says'] : []),
    ...(rawEscapes ? ['the log has a raw escape character'] : []),
    ...(answers ? [] : ['the kubelet no longer answers']),
    ...(grownMiB > mostGrownMiB ? [`the kubelet grew by ${grownMiB.toFixed(0)} MiB`] : []),
  ],
  weak: [
    { ...fine(), obstacle: 'refused' },
    { ...fine(), summary: 500 },
    { ...fine(), unreadable: ['usedBytes -1'] },
    { ...fine(), hostname: 'another-node' },
    { ...fine(), rawEscapes: true },
    { ...fine(), answers: false },
    { ...fine(), grownMiB: 500 },
  ],
});

function fine(): Answered {
  const said = { summary: 200, unreadable: [], hostname: 'attacked' };
  return { obstacle: '', ...said, rawEscapes: false, answers: true, grownMiB: 0 };
}

interface Claimed {
  readonly honest: boolean;
  /** Names with paths that the kubelet took. */
  readonly taken: readonly string[];
  /** Whether the honest driver still serves pods after an impostor has come and gone. */
  readonly serves: boolean;
  readonly whole: boolean;
  readonly runsPods: boolean;
}

const hostileNames = ['../../../attacked', 'a/b', '..', '', `${escapes}\n`, '__proto__'];

export const driverNames = attack<Claimed>({
  name: 'csi-names',
  tries:
    'registration sockets of CSI drivers with paths, escapes and a prototype as names, with the socket of something else, and one with the name of a driver that is there, which then goes',
  mustNot:
    'such a name is taken, the driver that was there is lost, a file of the machine goes, or the node runs no pods',
  pastFault: 'drivers that vanished with the socket of another one',
  attempt: async (target) => {
    const { root, node } = target;
    const name = 'honest.example.com';
    const env = { ...process.env, ...node.kubelet.bed.lab.env };
    const volumes = { kind: 'directory' as const };
    const honest = new TestCsiDriver({ name, dir: path.join(target.dir, 'honest'), env, volumes, nodeId: node.name });
    await allowInline(node.admin, name);
    await honest.start(root);
    try {
      const isTaken = async (): Promise<boolean> => honest.registrations.at(-1)?.pluginRegistered === true;
      const isHonest = await waitFor('the honest driver is taken', isTaken).catch(() => false);
      const taken: string[] = [];
      for (const [index, claimed] of hostileNames.entries()) {
        const info = index % 2 === 0 ? {} : { endpoint: target.secretFile };
        const driver = await HostileCsiDriver.start(
          ...([root, `hostile-${index}.example.com`, { nodeGetInfo: () => ({ nodeId: 'x' }) }] as const),
          { name: claimed, ...info },
        );
        await waitFor('an answer', async () => driver.accepted !== undefined, { withinMs: 3_000 }).catch(() => false);
        if (driver.accepted === true) taken.push(claimed.slice(0, 40));
        await driver.stop();
      }
      const impostor = await HostileCsiDriver.start(
        ...([root, 'impostor.example.com', { nodeGetInfo: () => ({ nodeId: 'y' }) }] as const),
        { name },
      );
      await waitFor('an answer', async () => impostor.accepted !== undefined, { withinMs: 5_000 }).catch(() => false);
      await impostor.stop();
      await aWhile(2_000);
      await node.create(uses('csi-honest', name));
      const serves = await node.untilReady('csi-honest', { withinMs: 30_000 }).then(
        () => true,
        () => false,
      );
      await node.delete('csi-honest', serves ? undefined : 0);
      await node.untilEnded('csi-honest').catch(() => undefined);
      const runsPods = await target.runsPods('after-csi-names');
      return { honest: isHonest, taken, serves, whole: await target.secretIsWhole(), runsPods };
    } finally {
      await honest.stop();
    }
  },
  harms: ({ honest, taken, serves, whole, runsPods }) => [
    ...(honest ? [] : ['no driver could register, so nothing was proven']),
    ...taken.map((name) => `the name ${JSON.stringify(name)} was taken`),
    ...(serves ? [] : ['the driver whose name another one claimed no longer serves pods']),
    ...(whole ? [] : ['a file of the machine was removed or changed']),
    ...(runsPods ? [] : ['the node no longer runs pods']),
  ],
  weak: [
    { honest: false, taken: [], serves: true, whole: true, runsPods: true },
    { honest: true, taken: ['..'], serves: true, whole: true, runsPods: true },
    { honest: true, taken: [], serves: false, whole: true, runsPods: true },
    { honest: true, taken: [], serves: true, whole: false, runsPods: true },
    { honest: true, taken: [], serves: true, whole: true, runsPods: false },
  ],
});
