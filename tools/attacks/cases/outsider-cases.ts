import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodes } from '@podwright/kube-client-interface';
import { TestDevicePlugin, type TestDevice } from '@podwright/test-device-plugin';
import { main, podManifest } from '../../acceptance/pod-manifests.js';
import { aWhile } from '../../acceptance/wait-for.js';
import { attack, NotApplicable } from '../attack.js';
import type { AttackTarget } from '../attack-target.js';

interface Reflected {
  /** What the pod says about its image. */
  readonly message: string;
  readonly rawEscapes: boolean;
  readonly answers: boolean;
  readonly grownMiB: number;
}

const escapes = '\u001b[2J\u001b]0;owned\u0007';
const mostMessage = 100_000;
const mostGrownMiB = 150;

const kept = ({ answers, grownMiB }: Pick<Reflected, 'answers' | 'grownMiB'>): readonly string[] => [
  ...(answers ? [] : ['the kubelet no longer answers']),
  ...(grownMiB > mostGrownMiB ? [`the kubelet grew by ${grownMiB.toFixed(0)} MiB`] : []),
];

/** Runs until `undo`: a registry on loopback that knows each image and refuses to show it, with this text. */
async function hostileRegistry({ node }: AttackTarget, text: string): Promise<{ image: string; stop: () => void }> {
  const digest = `sha256:${'a'.repeat(64)}`;
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'HEAD') {
      response.writeHead(200, { 'Content-Type': type, 'Docker-Content-Digest': digest, 'Content-Length': '500' });
      return void response.end();
    }
    response.writeHead(request.url === '/v2/' ? 200 : 403, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code: 'DENIED', message: text, detail: text }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = path.join(node.kubelet.bed.lab.layout.hostsDir, address);
  await mkdir(folder, { recursive: true });
  const url = `http://${address}`;
  const hosts = `server = "${url}"\n[host."${url}"]\n  capabilities = ["pull", "resolve"]\n`;
  await writeFile(path.join(folder, 'hosts.toml'), hosts);
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { image: `${address}/hostile:1`, stop };
}

export const hostileRegistryTexts = attack<Reflected>({
  name: 'hostile-registry',
  tries: 'an image of a registry that refuses with terminal escapes, newlines and a text of 4 MiB',
  mustNot: 'the log has raw escapes, the status of the pod grows without limit, or the kubelet grows or ends',
  pastFault: 'CVE-2021-25743 class: texts of others that reach a terminal',
  quick: true,
  attempt: async (target) => {
    const before = await target.memoryMiB();
    const { image, stop } = await hostileRegistry(target, `${escapes}\nforged line\r\n${'x'.repeat(4 << 20)}`);
    try {
      const name = 'hostile-registry';
      await target.node.create(podManifest(name, { containers: [main({ image, imagePullPolicy: 'Always' })] }));
      const waiting = await target.node.until(name, 'cannot have its image', ({ status }) =>
        /^(ErrImagePull|ImagePullBackOff)$/.test(status?.containerStatuses?.[0]?.state?.waiting?.reason ?? ''),
      );
      const message = waiting.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '';
      await target.node.delete(name, 0);
      const rawEscapes = (await target.log()).includes(escapes.slice(0, 4));
      return { message, rawEscapes, answers: await target.answers(), grownMiB: (await target.memoryMiB()) - before };
    } finally {
      stop();
    }
  },
  harms: ({ message, rawEscapes, ...rest }) => [
    ...(message === '' ? ['the pod does not say why it has no image, so nothing was proven'] : []),
    ...(message.length > mostMessage ? [`the status of the pod has ${message.length} characters of it`] : []),
    ...(rawEscapes ? ['the log has a raw escape character'] : []),
    ...kept(rest),
  ],
  weak: [
    { message: 'x'.repeat(mostMessage + 1), rawEscapes: false, answers: true, grownMiB: 0 },
    { message: 'denied', rawEscapes: true, answers: true, grownMiB: 0 },
    { message: 'denied', rawEscapes: false, answers: false, grownMiB: 0 },
    { message: 'denied', rawEscapes: false, answers: true, grownMiB: 500 },
    { message: '', rawEscapes: false, answers: true, grownMiB: 0 },
  ],
});

interface Plugged {
  /** Whether an honest plugin could register, so that the refusals prove something. */
  readonly honest: boolean;
  /** Names that the kubelet took although they are no extended resources. */
  readonly taken: readonly string[];
  /** Capacity of CPUs before and after. */
  readonly cpu: readonly [string, string];
  readonly runsPods: boolean;
  readonly answers: boolean;
  readonly grownMiB: number;
}

const hostileNames = ['cpu', 'memory', 'pods', 'kubernetes.io/x', '../../../x', 'example.com/../../x', 'a b/c', ''];
const hostileDevices: readonly TestDevice[] = [
  { id: '' },
  { id: '../../../etc' },
  { id: `${escapes}\n` },
  { id: '__proto__' },
  { id: 'far', numaNodes: [-1, 2 ** 40] },
  { id: 'ill', health: `Healthy\n${escapes}` },
  { id: 'y'.repeat(100_000) },
  ...Array.from({ length: 10_000 }, (_, index) => ({ id: `many-${index % 5_000}` })),
];

export const hostilePlugin = attack<Plugged>({
  name: 'hostile-device-plugin',
  tries:
    'a device plugin that registers names of core resources and paths, and lists ten thousand devices, doubles, paths, escapes, huge ids and NUMA nodes that do not exist',
  mustNot: 'the node shows other CPUs, such a name is taken, pods no longer run, or the kubelet grows or ends',
  pastFault: 'panics and false capacities by answers of device plugins',
  quick: true,
  attempt: async (target) => {
    const folder = path.join(target.root, 'device-plugins');
    // Upstream's is below /var/lib/kubelet, wherever its root folder is.
    if (!existsSync(folder)) throw new NotApplicable('the folder of device plugins is not in the root folder');
    const before = await target.memoryMiB();
    const cpu = async (): Promise<string> =>
      (await target.node.find(nodes, { name: target.node.name }))?.status?.capacity?.['cpu'] ?? '';
    const had = await cpu();
    const taken: string[] = [];
    for (const resourceName of hostileNames) {
      const plugin = new TestDevicePlugin({ resourceName, endpoint: 'hostile.sock', devices: [{ id: 'd' }] });
      await plugin.listen(folder);
      const accepted = await plugin.register(folder).then(
        () => true,
        () => false,
      );
      if (accepted) taken.push(resourceName);
      await plugin.stop();
    }
    const plugin = new TestDevicePlugin({
      ...{ resourceName: 'example.com/hostile', endpoint: 'hostile.sock', devices: hostileDevices },
    });
    await plugin.listen(folder);
    try {
      const honest = await plugin.register(folder).then(
        () => true,
        () => false,
      );
      await aWhile(3_000);
      return {
        ...{ honest, taken, cpu: [had, await cpu()] },
        runsPods: await target.runsPods('after-plugin'),
        answers: await target.answers(),
        grownMiB: (await target.memoryMiB()) - before,
      };
    } finally {
      await plugin.stop();
    }
  },
  harms: ({ honest, taken, cpu, runsPods, ...rest }) => [
    ...(honest ? [] : ['no plugin could register, so nothing was proven']),
    ...taken.map((name) => `resource "${name}" was taken`),
    ...(cpu[0] === cpu[1] ? [] : [`the node had ${cpu[0]} CPUs and has ${cpu[1]}`]),
    ...(runsPods ? [] : ['the node no longer runs pods']),
    ...kept(rest),
  ],
  weak: [
    { honest: true, taken: ['cpu'], cpu: ['2', '2'], runsPods: true, answers: true, grownMiB: 0 },
    { honest: true, taken: [], cpu: ['2', '1'], runsPods: true, answers: true, grownMiB: 0 },
    { honest: true, taken: [], cpu: ['2', '2'], runsPods: false, answers: true, grownMiB: 0 },
    { honest: true, taken: [], cpu: ['2', '2'], runsPods: true, answers: false, grownMiB: 0 },
    { honest: false, taken: [], cpu: ['2', '2'], runsPods: true, answers: true, grownMiB: 0 },
  ],
});
