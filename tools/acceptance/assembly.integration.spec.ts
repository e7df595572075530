import { cp, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { freePort, labSupport, runCommand, tryCommand, type CommandResult } from '@podwright/lab';
import { buildKubelet } from '../build/kubelet.js';
import { buildSingleExecutable } from '../build/single-executable.js';
import { nodeMajors, nodePins } from '../node/node-pins.js';
import { hostArchitecture, nodeProgram } from '../node/node-program.js';
import { readAssemblyEntries, writeAssembly, type AssemblyEntry } from '../start/assembly-option.js';
import { ask } from '../start/pod-answer.js';
import { programCommand } from '../start/program-command.js';
import { main, podManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestProgram } from './test-node.js';
import { repositoryRoot } from '../workspace/repository-root.js';

const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running';
const fixture = (name: string): string => path.join(repositoryRoot, 'tools/acceptance/fixtures', name);
const customPleg = path.join(repositoryRoot, 'examples/custom-pleg/assembly.yaml');

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`the executable${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();

  describe('with an assembly file', () => {
    const kubelet = (...args: readonly string[]): Promise<CommandResult> => {
      const [program, ...first] = programCommand(bed().executable);
      return tryCommand(program, [...first, ...args], { timeoutMs: 90_000 });
    };
    async function assemblyFile(...modules: readonly AssemblyEntry[]): Promise<string> {
      const file = path.join(bed().lab.dir, 'assembly.json');
      await writeAssembly(file, modules);
      return file;
    }

    it('puts a pleg from outside into the kubelet, and pods run, restart and end with it', async () => {
      const node = await bed().startNode('swapped', {
        assembly: [
          {
            replace: '@podwright/pleg',
            with: path.join(path.dirname(customPleg), 'steady-pleg.ts'),
            config: { periodMs: 250 },
          },
        ],
      });
      await node.add(podManifest('web'));
      await node.waitForPod('web', 'runs', isRunning);
      expect((await node.log()).filter((line) => line.includes('Relisting every pod'))).toHaveLength(1);
      const { runtime } = bed();
      const [first] = await runtime.running(node.podName('web'));
      process.kill(await runtime.pid(first?.id ?? ''), 'SIGKILL');
      await node.waitForPod('web', 'was restarted', ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1);
      await node.remove('web.json');
      await node.removed('web');
    });

    it.each([
      {
        fault: 'lacks what others need of it',
        modules: [{ replace: '@podwright/pleg', with: fixture('lacks-a-token.mjs') }],
        says: ['half-a-pleg', 'kubelet.pleg.relist-control/v1'],
      },
      {
        fault: 'throws while it is loaded',
        modules: [{ add: fixture('throws.mjs') }],
        says: ['throws.mjs', 'this module cannot be loaded today'],
      },
      {
        fault: 'exports no module',
        modules: [{ add: fixture('no-module.mjs') }],
        says: ['no-module.mjs'],
      },
      {
        fault: 'does not exist',
        modules: [{ add: './nowhere.mjs' }],
        says: ['nowhere.mjs'],
      },
      {
        fault: 'is given an option that it cannot take',
        modules: [{ name: '@podwright/pleg', config: { relistPeriodMs: -5, colour: 'red' } }],
        says: ['@podwright/pleg', 'relistPeriodMs', '-5', 'colour'],
      },
      {
        fault: 'is left out although others require it',
        modules: [{ omit: '@podwright/pod-workers' }],
        says: ['@podwright/pod-workers', 'kubelet.pod-workers/v1'],
      },
      {
        fault: 'is not known',
        modules: [{ replace: '@podwright/evented-plge', with: '@podwright/pleg' }],
        says: ['@podwright/evented-plge', '@podwright/evented-pleg'],
      },
    ])('is refused before the start when a module $fault', async ({ modules, says }) => {
      const file = await assemblyFile(...modules);
      const root = path.join(bed().lab.dir, 'never-made');
      const start = await kubelet(
        '--assembly',
        file,
        '--root-dir',
        root,
        '--fail-cgroupv1=false',
        '--fail-swap-on=false',
      );
      expect(start.code).toBe(1);
      for (const text of says) expect(start.stderr).toContain(text);
      // Nothing was started: not even the first directory is there.
      await expect(readFile(root)).rejects.toMatchObject({ code: 'ENOENT' });
      const check = await kubelet('assembly', 'check', '--assembly', file);
      expect(check.code).toBe(1);
      for (const text of says) expect(check.stderr).toContain(text);
    });

    it('is checked, printed and drawn without starting anything', async () => {
      const file = await assemblyFile(...readAssemblyEntries(customPleg));
      const check = await kubelet('assembly', 'check', '--assembly', file);
      expect(check).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok: \d+ modules\n$/) });
      const print = await kubelet('assembly', 'print', '--assembly', file);
      expect(print.code).toBe(0);
      expect(print.stdout).toMatch(/^steady-pleg \(replaces @podwright\/pleg, from .*steady-pleg\.cjs\)$/m);
      expect(print.stdout).toContain('options: {"periodMs":250}');
      const names = print.stdout.split('\n').filter((line) => /^\S/.test(line));
      // In the order of start: the runtime's client before those who use it, the loop after the workers.
      const position = (name: string): number => names.findIndex((line) => line.startsWith(name));
      expect(position('@podwright/cri-client')).toBeLessThan(position('steady-pleg'));
      expect(position('@podwright/pod-workers')).toBeLessThan(position('@podwright/sync-loop'));
      const graph = await kubelet('assembly', 'graph', '--assembly', file);
      expect(graph.code).toBe(0);
      expect(graph.stdout).toMatch(/^flowchart TD\n/);
      expect(graph.stdout).toContain('"steady-pleg"');
      expect((await kubelet('assembly', 'draw')).code).toBe(2);
    });
  });

  describe('on every Node.js', () => {
    let programs: readonly (TestProgram & { readonly name: string; readonly runs: string })[] = [];
    let single = '';
    beforeAll(async () => {
      const { file: executable } = await buildKubelet();
      const nodes = nodeMajors.map(async (major) => {
        const node = await nodeProgram(nodePins[major], hostArchitecture(), () => undefined);
        return { name: `node-${major}`, executable, node, runs: node };
      });
      const isSingle = programCommand(bed().executable).length === 1;
      single = isSingle
        ? bed().executable
        : (await buildSingleExecutable('kubelet', hostArchitecture(), () => undefined)).file;
      programs = [...(await Promise.all(nodes)), { name: 'single', executable: single, runs: single }];
    }, 600_000); // the first run downloads five of them

    it('runs pods and takes over those of the version before, and so does the single executable', async () => {
      const node = await bed().startNode('versions', programs[0]);
      for (const [index, { name, runs, ...program }] of programs.entries()) {
        if (index > 0) await node.start(program);
        await node.add(podManifest(name));
        await node.waitForPod(name, 'runs', isRunning);
        const process = `/proc/${node.kubelet.child.pid}`;
        expect(await realpath(`${process}/exe`)).toBe(await realpath(runs));
        expect(await readFile(`${process}/comm`, 'utf8')).toBe('kubelet\n');
        const all = await node.waitFor('all pods run', async () => {
          const pods = await node.kubelet.pods();
          return pods.length === index + 1 && pods.every(isRunning) && pods;
        });
        const restarts = all.flatMap(({ status }) => status?.containerStatuses ?? []).map((each) => each.restartCount);
        expect(restarts).toEqual(programs.slice(0, index + 1).map(() => 0));
        expect(await node.end('SIGTERM')).toEqual({ code: 0, signal: null });
      }
    }, 300_000);

    it('needs only the C and C++ libraries when Node.js is inside', async () => {
      const root = path.join(bed().lab.dir, 'bare');
      const libraries = [...(await runCommand('ldd', [single])).matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file);
      const every = /^(ld-linux-\S+|lib(c|dl|gcc_s|m|pthread|stdc\+\+))\.so\.\d$/;
      expect(libraries.filter((file) => !every.test(path.basename(file)))).toEqual([]);
      for (const file of libraries) await cp(file, path.join(root, file), { dereference: true });
      await cp(single, path.join(root, 'kubelet'));
      await cp(fixture('lacks-a-token.mjs'), path.join(root, 'module.mjs'));
      const modules = [{ replace: '@podwright/pleg', with: './module.mjs' }];
      await writeAssembly(path.join(root, 'assembly.json'), modules);
      const bare = (...args: readonly string[]): Promise<CommandResult> =>
        tryCommand('chroot', [root, '/kubelet', ...args], { env: { PATH: process.env['PATH'] }, timeoutMs: 20_000 });
      expect(await bare('--version')).toEqual({ code: 0, stdout: 'Kubernetes v1.36.0\n', stderr: '' });
      // It also loads modules from files there: this one has a fault.
      const check = await bare('assembly', 'check', '--assembly', '/assembly.json');
      expect(check).toMatchObject({ code: 1, stderr: expect.stringContaining('half-a-pleg') });
    });
  });

  it('answers /healthz, /pods and /metrics on its ports', async () => {
    const healthzPort = await freePort();
    const node = await bed().startNode('ports', { configuration: { healthzPort } });
    await node.add(podManifest('web', { containers: [main(), main({ name: 'other' })] }));
    await node.waitForPod('web', 'runs', isRunning);
    expect(await ask(`http://127.0.0.1:${healthzPort}/healthz`, 5_000)).toBe('ok');
    // As upstream: only that the process answers here, how it fares on the read-only port.
    const alive = await ask(`http://127.0.0.1:${healthzPort}/healthz?verbose`, 5_000);
    expect(alive).toBe('[+]ping ok\nhealthz check passed\n');
    expect(await node.kubelet.ask('/healthz')).toBe('ok');
    expect(await node.kubelet.ask('/healthz?verbose')).toMatch(/\[\+\]syncloop ok\n[\s\S]*healthz check passed\n$/);

    const list = JSON.parse(await node.kubelet.ask('/pods')) as { kind: string; apiVersion: string; items: Pod[] };
    expect(list).toMatchObject({ kind: 'PodList', apiVersion: 'v1', metadata: {} });
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual([node.podName('web')]);
    expect(list.items[0]).toMatchObject({
      metadata: { namespace: 'default', annotations: { 'kubernetes.io/config.source': 'file' } },
      spec: { nodeName: 'ports', restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' },
      status: { phase: 'Running', qosClass: 'BestEffort', podIP: expect.any(String) },
    });
    // As upstream without an API server.
    expect(list.items[0]?.status).not.toHaveProperty('hostIP');

    const samples = parsePrometheus(await node.kubelet.ask('/metrics'));
    const value = (name: string, ...labels: readonly string[]): number | undefined =>
      samples.find((sample) => sample.name === name && labels.every((label) => sample.labels.includes(label)))?.value;
    expect(value('kubelet_runtime_operations_total', 'operation_type="create_container"')).toBe(2);
    expect(value('kubelet_runtime_operations_duration_seconds_count', 'operation_type="run_podsandbox"')).toBe(1);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(value('kubelet_pleg_relist_duration_seconds_count')).toBeGreaterThan(0);
  });
});

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

/** Reads the text format strictly: each family has its TYPE before its samples, and appears once. */
function parsePrometheus(text: string): readonly Sample[] {
  expect(text.endsWith('\n')).toBe(true);
  const types = new Map<string, string>();
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const type = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line);
      if (type !== null) {
        expect(types.has(type[1] ?? '')).toBe(false);
        types.set(type[1] ?? '', type[2] ?? '');
      }
      if (line.startsWith('# TYPE ') || line.startsWith('# HELP ')) return [];
      const sample = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/.exec(line);
      if (sample === null) throw new Error(`not a line of the Prometheus text format: ${line}`);
      const [, name = '', labels = '', value] = sample;
      const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
      expect({ line, hasType: types.has(family) }).toEqual({ line, hasType: true });
      const number = value === '+Inf' ? Infinity : value === '-Inf' ? -Infinity : Number(value);
      if (Number.isNaN(number) && value !== 'NaN') throw new Error(`no number: ${line}`);
      return [{ name, labels, value: number }];
    });
}
