import http from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { describeLeftovers, leftovers, readTraces } from './cleanup.js';
import { tryCommand, waitUntil } from './commands.js';
import { CriCalls } from './cri-calls.js';
import { labSupport, openLab, startLab, type Lab, type StartLabOptions } from './index.js';
import { labLayout } from './layout.js';
import { labProcesses, signal } from './processes.js';

const support = labSupport();
const LABS = ['spec-a', 'spec-b'];
const TIMEOUT_MS = 180_000;

(support.ok ? describe : describe.skip)(support.ok ? 'a lab' : `a lab (skipped: ${support.reason})`, () => {
  const connections: CriCalls[] = [];

  async function up(options: StartLabOptions): Promise<{ lab: Lab; cri: CriCalls }> {
    const lab = await startLab({ containerd: '2', ...options });
    const cri = await CriCalls.connect(lab, process.cwd());
    connections.push(cri);
    return { lab, cri };
  }

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    for (const name of LABS) await (await openLab(name))?.stop();
  }, TIMEOUT_MS);

  it.each(['1.6', '2'] as const)(
    'runs pods on containerd %s, pulls from its registry, and leaves nothing behind',
    async (containerd) => {
      const { lab, cri } = await up({ name: 'spec-a', containerd, registry: true });
      const version = await cri.call('RuntimeService/Version');
      expect(String(version['runtime_version']).startsWith(`${containerd}.`)).toBe(true);

      const asUser = await cri.startPod('named', { image: lab.images.namedUser });
      expect(await cri.exec(asUser, ['id', '-un'])).toBe('app\n');
      expect(asUser.ip.startsWith(lab.network.subnet.replace(/0\/24$/, ''))).toBe(true);
      await cri.removePod(asUser);

      const pulled = await cri.call('ImageService/PullImage', { image: { image: lab.registry?.busybox } });
      expect(String(pulled['image_ref'])).not.toBe('');
      await cri.startPod('pulled', { image: String(lab.registry?.busybox) });

      const traces = await readTraces(lab.layout);
      await lab.stop();
      await lab.stop();
      expect(describeLeftovers(await leftovers(lab.layout, traces))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'has a sandbox process that reaps orphans and ends on SIGTERM, although it is pid 1',
    async () => {
      const { lab, cri } = await up({ name: 'spec-a' });
      // Without other wishes CRI gives the containers of a pod one process namespace, so orphans go to the sandbox.
      const pod = await cri.startPod('shared');
      await cri.exec(pod, ['sh', '-c', '(sleep 0.2; exit 3) & (sleep 0.1) &']);
      const processes = async (): Promise<string[]> =>
        (await cri.exec(pod, ['ps', '-o', 'stat,args'])).trim().split('\n');
      expect((await processes())[1]).toMatch(/ \/pause$/);
      const reaped = await waitUntil(async () => (await processes()).every((line) => !/sleep 0|^Z/.test(line)), {
        timeoutMs: 40_000,
      });
      expect(reaped).toBe(true);

      const pause = (await labProcesses(lab.layout)).find(({ command }) => command === '/pause');
      if (pause === undefined) throw new Error('no sandbox process');
      signal(pause.pid, 'SIGTERM');
      const ended = await waitUntil(
        async () => (await labProcesses(lab.layout)).every(({ kind }) => kind === 'program'),
        {
          timeoutMs: 40_000,
        },
      );
      expect(ended).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'keeps pods over a crash of containerd',
    async () => {
      const { lab, cri } = await up({ name: 'spec-a' });
      const pod = await cri.startPod('survivor');
      await lab.killRuntime();
      expect(await lab.running()).toBe(false);
      const processes = await labProcesses(lab.layout);
      expect(processes.filter(({ kind }) => kind === 'container')).toHaveLength(2);

      await lab.restartRuntime();
      const again = await CriCalls.connect(lab, process.cwd());
      connections.push(again);
      expect(await again.exec(pod, ['echo', 'still here'])).toBe('still here\n');
    },
    TIMEOUT_MS,
  );

  it(
    'is removed by its name alone after everything that watched over it was killed',
    async () => {
      const { lab, cri } = await up({ name: 'spec-a', registry: true });
      await cri.startPod('orphan');
      const traces = await readTraces(lab.layout);
      expect(traces.bundles.length).toBeGreaterThan(0);
      for (const { pid, kind } of await labProcesses(lab.layout)) if (kind === 'program') signal(pid, 'SIGKILL');
      const orphans = await waitUntil(
        async () => (await labProcesses(lab.layout)).every(({ kind }) => kind === 'container'),
        {
          timeoutMs: 40_000,
        },
      );
      expect(orphans).toBe(true);

      const next = await startLab({ containerd: '2', name: 'spec-a' });
      expect((await labProcesses(next.layout)).map(({ kind }) => kind)).toEqual(['program']);
      await next.stop();
      expect(describeLeftovers(await leftovers(labLayout('spec-a'), traces))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'does not disturb another lab beside it',
    async () => {
      const first = await up({ name: 'spec-a' });
      const second = await up({ name: 'spec-b', containerd: '1.6' });
      expect(second.lab.network.subnet).not.toBe(first.lab.network.subnet);
      await expect(startLab({ containerd: '2', name: 'spec-a' })).rejects.toThrow('running already');
      const pod = await first.cri.startPod('mine');
      await second.cri.startPod('theirs');
      await second.lab.stop();
      expect(await first.cri.exec(pod, ['echo', 'undisturbed'])).toBe('undisturbed\n');
    },
    TIMEOUT_MS,
  );

  it(
    'maps ports of the machine where iptables works, and leaves no rule after a crash',
    async () => {
      const { lab, cri } = await up({ name: 'spec-a' });
      if (!lab.portMappings) return;
      const hostPort = 31_080;
      await cri.startPod('web', {
        hostPort,
        command: ['sh', '-c', `echo hello > /tmp/index.html; httpd -f -p ${hostPort} -h /tmp`],
      });
      expect(await fetchText(`http://${lab.network.gateway}:${hostPort}/`)).toBe('hello\n');
      const rules = async (): Promise<string> =>
        (await tryCommand('iptables-save', ['-t', 'nat'], { env: { ...process.env, ...lab.env } })).stdout;
      expect(await rules()).toContain(`--dport ${hostPort} `);
      await lab.killRuntime();
      // The second lab brings an iptables to look with once the first is gone.
      const other = await startLab({ containerd: '2', name: 'spec-b' });
      await lab.stop();
      const { stdout } = await tryCommand('iptables-save', ['-t', 'nat'], { env: { ...process.env, ...other.env } });
      expect(stdout).not.toContain(`--dport ${hostPort} `);
    },
    TIMEOUT_MS,
  );
});

async function fetchText(url: string): Promise<string> {
  let body = '';
  const answered = await waitUntil(
    () =>
      new Promise((resolve) => {
        http
          .get(url, (response) => {
            body = '';
            response.setEncoding('utf8').on('data', (part: string) => (body += part));
            response.on('end', () => resolve(true));
          })
          .on('error', () => resolve(false));
      }),
    { timeoutMs: 40_000, everyMs: 100 },
  );
  if (!answered) throw new Error(`${url} does not answer`);
  return body;
}
