import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestApiServer } from '@podwright/test-apiserver';
import { createSeededRandom, createSystemClock, eventually } from '@podwright/time';
import { runHollowKubelet } from './run-hollow-kubelet.js';

describe('hollow-kubelet', () => {
  let dir = '';
  const lines: string[] = [];
  const clock = createSystemClock();
  const io = (signal: AbortSignal) => {
    const add = (line: string): void => void lines.push(line);
    return { print: add, complain: add, clock, signal };
  };
  beforeAll(async () => void (dir = await mkdtemp(path.join(tmpdir(), 'hollow-kubelet-spec-'))));
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('joins a cluster over HTTPS, tells how it is, and leaves no files', async () => {
    const server = createTestApiServer({ clock, random: createSeededRandom('hollow') });
    const listener = await server.listen();
    const kubeconfig = path.join(dir, 'kubeconfig');
    await writeFile(kubeconfig, listener.kubeconfig({ name: 'kubernetes-admin', groups: ['system:masters'] }));
    const stopping = new AbortController();
    const dataDir = path.join(dir, 'data');
    const args = ['--kubeconfig', kubeconfig, '--nodes=3', '--status-address=127.0.0.1:0', '--data-dir', dataDir];
    const run = runHollowKubelet(args, io(stopping.signal));
    await eventually(() => lines.some((line) => line.startsWith('3 of 3 nodes Ready after')));
    const url = /http:\S+/.exec(lines.find((line) => line.startsWith('status on')) ?? '')?.[0] ?? '';
    const metrics = await (await fetch(url)).text();
    expect(metrics).toContain('podwright_hollow_nodes{state="ready"} 3');
    expect(await (await fetch(url.replace('metrics', 'readyz'))).text()).toBe('ok\n');
    expect(await readdir(path.join(dataDir, 'fleet'))).toContain('nodes');
    stopping.abort();
    expect(await run).toBe(0);
    expect(await readdir(dataDir)).toEqual([]);
    expect(lines.at(-1)).toBe('stopping; the Node objects stay');
    await listener.stop();
  });

  it('leaves a folder alone that has files', async () => {
    const dataDir = path.join(dir, 'mine');
    const file = path.join(dataDir, 'serving/file');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'precious');
    const args = ['--kubeconfig=/k', '--status-address=', '--data-dir', dataDir];
    expect(await runHollowKubelet(args, io(new AbortController().signal))).toBe(2);
    expect(lines.at(-1)).toContain(`--data-dir ${dataDir} is not empty (it has serving), and its files would be`);
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect(await runHollowKubelet([...args, `--data-dir=${file}`], io(new AbortController().signal))).toBe(2);
    expect(lines.at(-1)).toContain(`--data-dir ${file} cannot be used: `);
  });

  it('says in one line what is wrong with a behaviour file', async () => {
    const file = path.join(dir, 'behaviour.yaml');
    await writeFile(file, 'apiVersion: hollow.podwright.dev/v1alpha1\nkind: HollowBehaviour\nnode: { cpu: -1 }\n');
    const args = ['--kubeconfig=/k', '--status-address=', '--behaviour'];
    expect(await runHollowKubelet([...args, file], io(new AbortController().signal))).toBe(2);
    expect(lines.at(-1)).toBe(`hollow-kubelet: ${file}: node.cpu: must be between 1 and 1024, got -1`);
    expect(await runHollowKubelet([...args, '/none'], io(new AbortController().signal))).toBe(2);
    expect(lines.at(-1)).toContain('hollow-kubelet: --behaviour /none cannot be read: ');
  });
});
