import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { runCommand } from '@podwright/kubelet-assembly';
import { kubeletProgram } from './kubelet-program.js';

describe('kubelet', () => {
  let out = '';
  beforeEach(() => {
    out = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  });
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    [[], { localSocket: '/r/podwright.sock', localSocketOptional: true, localReadOnly: true }],
    [['--socket=/run/s'], { localSocket: '/run/s', localSocketOptional: false, localReadOnly: true }],
    [['--socket='], { localSocket: '', localReadOnly: true }],
    [['--kubeconfig=/k', '--node-ip=10.0.0.1'], { localSocket: '/r/podwright.sock', localReadOnly: true }],
  ])('has a socket for root that only reads: %j', async (flags, options) => {
    expect(await runCommand(['assembly', 'print', '--root-dir=/r', ...flags], kubeletProgram)).toBe(0);
    const section = out.split('\n\n').find((each) => each.startsWith('@podwright/server\n')) ?? '';
    expect(JSON.parse(/ {2}options: (.*)/.exec(section)?.[1] ?? 'null')).toMatchObject(options);
    // Whoever added the local API would get its pods past the API server.
    expect(out).not.toContain('@podwright/local-api');
  });

  it('refuses to start on a given socket that another process serves, and starts without the usual one', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kubelet-program-'));
    const socket = path.join(folder, 'podwright.sock');
    const other = createServer().listen(socket);
    await new Promise((resolve) => other.once('listening', resolve));
    const [part] = kubeletProgram.parts;
    await expect(part?.beforeStart?.({ ownFlags: { socket } })).rejects.toThrow(`${socket} is taken`);
    for (const ownFlags of [{}, { socket: '' }]) await part?.beforeStart?.({ ownFlags });
    await new Promise((resolve) => other.close(resolve));
    await rm(folder, { recursive: true });
  });

  it('names the socket and its default in the help text', async () => {
    expect(await runCommand(['--help'], kubeletProgram)).toBe(0);
    expect(out).toMatch(/Flags of kubelet alone:\n +--socket string .*default podwright\.sock below --root-dir/);
  });
});
