import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createSimulatedRuntime, type SimulatedContainer } from '@podwright/simulated-runtime';
import { dataHead, HeaderBlocks, SpdyFrameParser, synStream } from '@podwright/streaming';
import { eventually, VirtualClock } from '@podwright/time';
import { answerCommand } from '../behaviour/command-answers.js';
import { StreamingServer } from './streaming-server.js';

const of = { node: 'n-1', namespace: 'default', pod: 'web-1', container: 'main', image: 'web:1' };

describe('the streams of a hollow container', () => {
  let server: StreamingServer;
  let container: SimulatedContainer;
  beforeEach(async () => {
    server = await StreamingServer.open();
    const cri = createSimulatedRuntime({ clock: new VirtualClock() });
    cri.store.load('web:1');
    cri.programs.setDefault({ exec: (command) => answerCommand(command, of), output: ['hello'] });
    const config = { metadata: { name: 'web-1', namespace: 'default', uid: 'u' } };
    const { podSandboxId } = await cri.runPodSandbox({ config });
    const main = { metadata: { name: 'main' }, image: { image: 'web:1' } };
    const { containerId } = await cri.createContainer({ podSandboxId, config: main });
    await cri.startContainer({ containerId });
    container = cri.control.findContainer(containerId) as SimulatedContainer;
  });
  afterEach(() => server.close());

  /** Opens a session at the address; resolves with its socket and the head of the answer. */
  async function upgrade(address: string): Promise<{ readonly socket: Socket; readonly head: string }> {
    const { port, pathname } = new URL(address);
    const socket = connect(Number(port), '127.0.0.1');
    const protocol = 'X-Stream-Protocol-Version: v4.channel.k8s.io';
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n${protocol}\r\n\r\n`,
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    return { socket, head: head.toString() };
  }

  /** Opens the streams, types the text, and resolves with what came back on each. */
  async function talk(socket: Socket, streams: readonly string[], typed = ''): Promise<Record<string, string>> {
    const heard: Record<string, string> = {};
    const nameOf = (id: number): string => streams[(id - 1) / 2] ?? '';
    const nothing = (): void => undefined;
    const parser = new SpdyFrameParser({
      data: (id, bytes) => (heard[nameOf(id)] = `${heard[nameOf(id)] ?? ''}${bytes.toString()}`),
      ...{ opened: nothing, replied: nothing, finished: nothing, reset: nothing, ping: nothing },
      ...{ goneAway: () => socket.end(), violation: (reason) => socket.destroy(new Error(reason)) },
    });
    socket.on('data', (chunk: Buffer) => parser.push(chunk));
    const headers = new HeaderBlocks();
    streams.forEach((streamType, index) => socket.write(synStream(2 * index + 1, headers.next({ streamType }))));
    const stdin = 2 * streams.indexOf('stdin') + 1;
    if (stdin > 0) socket.write(Buffer.concat([dataHead(stdin, typed.length), Buffer.from(typed)]));
    await once(socket, 'close');
    return heard;
  }

  const exec = (cmd: string[], stdin = false): string =>
    server.url({ kind: 'exec', container, request: { cmd, stdin, stdout: true, stderr: true } });

  it('carry the output of a command and how it ended', async () => {
    const { socket, head } = await upgrade(exec(['hostname']));
    expect(head).toMatch(/^HTTP\/1\.1 101 .*X-Stream-Protocol-Version: v4\.channel\.k8s\.io\r\n\r\n$/s);
    const heard = await talk(socket, ['error', 'stdout', 'stderr']);
    expect(heard).toEqual({ stdout: 'web-1\n', error: '{"metadata":{},"status":"Success"}' });
    const failed = await talk((await upgrade(exec(['false']))).socket, ['error', 'stdout', 'stderr']);
    expect(JSON.parse(failed['error'] ?? '')).toMatchObject({
      status: 'Failure',
      details: { causes: [{ reason: 'ExitCode', message: '1' }] },
    });
  });

  it('are a small shell for whoever types', async () => {
    const { socket } = await upgrade(exec(['sh'], true));
    const heard = await talk(socket, ['error', 'stdin', 'stdout', 'stderr'], 'echo one two\nhostname\nexit 3\n');
    expect(heard['stdout']).toBe('one two\nweb-1\n');
    expect(heard['error']).toContain('exit code 3');
    for (const [typed, code] of [
      ['exit soon\n', 2],
      ['false\nexit\n', 1],
    ] as const) {
      const shell = await upgrade(exec(['sh'], true));
      const { error } = await talk(shell.socket, ['error', 'stdin', 'stdout', 'stderr'], typed);
      expect(error).toContain(`exit code ${code}"`);
    }
  });

  it('leave nothing at the container when they have ended', async () => {
    const remove = jest.spyOn(container.ended, 'removeEventListener');
    const { socket } = await upgrade(exec(['true']));
    await talk(socket, ['error', 'stdout', 'stderr']);
    await eventually(() => remove.mock.calls.length === 1);
  });

  it('show the log to whoever attaches, until the container ends', async () => {
    const request = { stdin: false, stdout: true, stderr: true, tty: false };
    const { socket } = await upgrade(server.url({ kind: 'attach', container, request }));
    const heard = talk(socket, ['error', 'stdout', 'stderr']);
    await once(socket, 'data');
    container.exit(0);
    expect(await heard).toMatchObject({ stdout: 'hello\n' });
  });

  it('can be opened once, by whoever was given the address', async () => {
    const address = exec(['true']);
    (await upgrade(address)).socket.destroy();
    expect((await upgrade(address)).head).toMatch(/^HTTP\/1\.1 404 /);
    expect((await upgrade(server.url({ kind: 'portforward', podSandboxId: 's' }))).head).toMatch(/^HTTP\/1\.1 501 /);
  });
});
