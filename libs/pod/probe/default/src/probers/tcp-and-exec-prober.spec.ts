import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Container } from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import type { ProbeOutcome, Probers } from '@podwright/probe-interface';
import { createSystemClock } from '@podwright/time';
import { listenOnLoopback, loopbackTarget } from '../fixtures/loopback.js';
import { createProbers } from './network-probers.js';

type ExecSync = RuntimeService['execSync'];
const { signal } = new AbortController();
const probersWith = (execSync: ExecSync): Probers =>
  createProbers({ runtime: { execSync }, clock: createSystemClock(), metrics: createMetricsRegistry() });

describe('tcpSocket', () => {
  const { tcpSocket } = probersWith(() => Promise.reject(new Error('not asked for')));

  it('succeeds when the port accepts, fails when it refuses', async () => {
    const server = await listenOnLoopback(createServer());
    const { port } = server;
    expect(await tcpSocket.probe({ port }, loopbackTarget, 1000, signal)).toEqual({ result: 'success', output: '' });
    await server.close();
    expect(await tcpSocket.probe({ port }, loopbackTarget, 1000, signal)).toEqual({
      result: 'failure',
      output: `dial tcp 127.0.0.1:${port}: connect: connection refused`,
    });
  });

  it('knows ports by name, and another host', async () => {
    const server = await listenOnLoopback(createServer());
    const container = { name: 'app', ports: [{ name: 'db', containerPort: server.port }] };
    const target = { ...loopbackTarget, container, podIp: '' };
    expect(await tcpSocket.probe({ port: 'db', host: '127.0.0.1' }, target, 1000, signal)).toMatchObject({
      result: 'success',
    });
    await expect(tcpSocket.probe({ port: 'db' }, target, 1000, signal)).rejects.toThrow('no address');
    await server.close();
  });

  it('asks this node for a pod of the host network without an address', async () => {
    const server = await listenOnLoopback(createServer());
    const { port } = server;
    const pod = { ...loopbackTarget.pod, spec: { ...loopbackTarget.pod.spec, hostNetwork: true } };
    const target = { ...loopbackTarget, pod, podIp: '' };
    expect(await tcpSocket.probe({ port }, target, 1000, signal)).toEqual({ result: 'success', output: '' });
    await server.close();
    expect(await tcpSocket.probe({ port }, target, 1000, signal)).toEqual({
      result: 'failure',
      output: `dial tcp :${port}: connect: connection refused`,
    });
  });

  it('names a host that cannot be found', async () => {
    const outcome = await tcpSocket.probe(
      { port: 1, host: '' },
      { ...loopbackTarget, podIp: '256.0.0.1.' },
      5000,
      signal,
    );
    expect(outcome).toMatchObject({ result: 'failure', output: expect.stringContaining('dial tcp') });
  });
});

describe('exec', () => {
  const asked: Parameters<ExecSync>[0][] = [];
  const exec = (
    answer: () => Promise<{ exitCode: number; stdout?: string; stderr?: string }>,
    command: readonly string[] = ['check'],
    env: Container['env'] = [],
  ): Promise<ProbeOutcome> =>
    probersWith(async (request) => {
      asked.push(request);
      const { exitCode, stdout = '', stderr = '' } = await answer();
      return { exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) };
    }).exec.probe({ command: [...command] }, { ...loopbackTarget, container: { name: 'app', env } }, 2000, signal);

  it.each([
    [0, 'success'],
    [1, 'failure'],
    [137, 'failure'],
  ])('exit code %i is a %s, with the output of both streams', async (exitCode, result) => {
    expect(await exec(async () => ({ exitCode, stdout: 'out', stderr: 'err' }))).toEqual({ result, output: 'outerr' });
    expect(asked.at(-1)).toEqual({ containerId: 'c1', cmd: ['check'], timeout: 2n });
  });

  it('shows 10240 bytes of the output', async () => {
    const outcome = await exec(async () => ({ exitCode: 1, stdout: 'o'.repeat(10_000), stderr: 'e'.repeat(10_000) }));
    expect(outcome).toEqual({ result: 'failure', output: 'o'.repeat(10_000) + 'e'.repeat(240) });
  });

  it('fails when the time is over', async () => {
    const late = async (): Promise<never> => {
      throw new KubeletError('timeout 2s exceeded', { code: 'deadline-exceeded' });
    };
    expect(await exec(late, ['sleep', '9'])).toEqual({
      result: 'failure',
      output: 'command timed out: "sleep 9" timed out after 2s',
    });
  });

  it('has no result when the runtime cannot run it', async () => {
    const gone = async (): Promise<never> => {
      throw new KubeletError('failed to exec in container: no such task', { code: 'not-found' });
    };
    expect(await exec(gone)).toEqual({
      result: 'unknown',
      error: 'rpc error: code = NotFound desc = failed to exec in container: no such task',
    });
  });

  it.each([
    ['$(A)', 'x'],
    ['a$(A)b$(B)', 'axb'],
    ['$$(A)', '$(A)'],
    ['$(NONE) $A', '$(NONE) $A'],
  ])('%s becomes %s by the values in the spec alone', async (given, expected) => {
    const env = [
      { name: 'A', value: 'x' },
      { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ];
    await exec(async () => ({ exitCode: 0 }), [given], env);
    expect(asked.at(-1)?.cmd).toEqual([expected]);
  });
});
