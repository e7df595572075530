import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { PassThrough } from 'node:stream';
import type { WebSocket } from 'ws';
import { donePod, webPod } from '../fixtures/objects.js';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell, TestTerminal } from '../fixtures/test-shell.js';

const success = { status: 'Success' };
const failure = (code: number): object => ({
  status: 'Failure',
  reason: 'NonZeroExitCode',
  message: `command terminated with non-zero exit code`,
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

/** Sends output and a status, then closes, as the kubelet does. */
function answer(socket: WebSocket, status: object, outputs: readonly (readonly [number, string])[] = []): void {
  for (const [channel, text] of outputs) socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text)]));
  socket.send(Buffer.concat([Buffer.of(3), Buffer.from(JSON.stringify(status))]));
  socket.close();
}

describe('podwright exec', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, donePod]) api.put(object);
  });
  afterEach(() => api.stop());

  it('asks for the command with its streams, and keeps stdout and stderr apart', async () => {
    let asked = '';
    api.session = (socket, url) => {
      asked = url;
      answer(socket, success, [
        [1, 'out\n'],
        [2, 'err\n'],
      ]);
    };
    const { code, out, err } = await shell.run(['exec', 'web', '-c', 'app', '--', 'ls', '-l', 'a b']);
    expect({ code, out, err }).toEqual({ code: 0, out: 'out\n', err: 'err\n' });
    expect(asked).toBe(
      '/api/v1/namespaces/default/pods/web/exec?command=ls&command=-l&command=a+b&container=app&stdout=true&stderr=true',
    );
  });

  it("ends with the command's exit code", async () => {
    api.session = (socket) => answer(socket, failure(42));
    expect(await shell.run('exec web -c app -- false')).toEqual({
      code: 42,
      out: '',
      err: 'command terminated with exit code 42\n',
    });
  });

  it('passes stdin on and says when it has ended', async () => {
    const received: Buffer[] = [];
    api.session = (socket) =>
      socket.on('message', (data) => {
        const bytes = data as Buffer;
        received.push(bytes);
        if (bytes[0] === 255) answer(socket, success, [[1, 'done\n']]);
      });
    const { code, out } = await shell.run('exec -i web -c app -- cat', 'hello');
    expect({ code, out }).toEqual({ code: 0, out: 'done\n' });
    expect(received.map((bytes) => [bytes[0], bytes.subarray(1).toString()])).toEqual([
      [0, 'hello'],
      [255, '\0'],
    ]);
  });

  it('puts the terminal into raw mode, sends its sizes, and restores it', async () => {
    const terminal = new TestTerminal({ columns: 100, rows: 40 });
    const sizes: string[] = [];
    let open: WebSocket | undefined;
    api.session = (socket, url) => {
      expect(url).toContain('stdin=true&stdout=true&tty=true');
      open = socket.on('message', (data) => {
        if ((data as Buffer)[0] === 4) sizes.push((data as Buffer).subarray(1).toString());
      });
    };
    const running = shell.start('exec -it web -c app -- sh', { stdin: new PassThrough(), terminal });
    await eventually(() => sizes.length === 1);
    expect(terminal.raw).toBe(true);
    terminal.resize({ columns: 80, rows: 24 });
    await eventually(() => sizes.length === 2);
    expect(sizes).toEqual(['{"Width":100,"Height":40}', '{"Width":80,"Height":24}']);
    if (open !== undefined) answer(open, failure(1));
    expect((await running.ended).code).toBe(1);
    expect(terminal.raw).toBe(false);
  });

  it('restores the terminal when the connection breaks or the user ends the process', async () => {
    for (const end of [(socket: WebSocket) => socket.terminate(), () => undefined]) {
      const terminal = new TestTerminal();
      let open: WebSocket | undefined;
      api.session = (socket) => (open = socket);
      const running = shell.start('exec -it web -c app -- sh', { stdin: new PassThrough(), terminal });
      await eventually(() => open !== undefined && terminal.raw);
      end(open as unknown as WebSocket);
      if (open?.readyState === 1) running.interrupt();
      expect((await running.ended).code).toBe(1);
      expect(terminal.raw).toBe(false);
    }
  });

  it('goes on without a terminal when stdin is none', async () => {
    api.session = (socket, url) => {
      expect(url).not.toContain('tty');
      answer(socket, success);
    };
    expect((await shell.run('exec -it web -c app -- sh')).err).toBe(
      'Unable to use a TTY - input is not a terminal or the right kind of file\n',
    );
  });

  it.each([
    ['exec web', 'error: you must specify at least one command for the container'],
    ['exec web ls', 'error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead'],
    ['exec nope -- ls', 'Error from server (NotFound): pods "nope" not found'],
    ['exec done -- ls', 'error: cannot exec into a container in a completed pod; current phase is Succeeded'],
    ['exec configmap/x -- ls', 'error: configmap/x is not a pod'],
  ])('refuses %s', async (line, message) => {
    const { code, err } = await shell.run(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

describe('podwright attach', () => {
  const api = new PodApi();
  let shell: TestShell;
  const ttyPod = {
    ...webPod,
    metadata: { ...webPod.metadata, name: 'tty' },
    spec: { containers: [{ name: 'a', tty: true, stdin: true }] },
  };

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, donePod, ttyPod]) api.put(object as never);
  });
  afterEach(() => api.stop());

  it('prints what the container writes until it ends', async () => {
    api.session = (socket, url) => {
      expect(url).toBe('/api/v1/namespaces/default/pods/web/attach?container=app&stdout=true&stderr=true');
      answer(socket, success, [[1, 'log line\n']]);
    };
    const { code, out, err } = await shell.run('attach pod web -c app');
    expect({ code, out }).toEqual({ code: 0, out: 'log line\n' });
    expect(err).toContain("If you don't see a command prompt, try pressing enter.");
  });

  it('detaches at ctrl-p ctrl-q and leaves the container alone', async () => {
    const stdin = new PassThrough();
    const terminal = new TestTerminal();
    const sent: string[] = [];
    api.session = (socket) =>
      socket.on('message', (data) => (data as Buffer)[0] === 0 && sent.push((data as Buffer).subarray(1).toString()));
    const running = shell.start('attach -it tty', { stdin, terminal });
    await eventually(() => terminal.raw);
    stdin.write('ab\u0010x');
    stdin.write('c\u0010');
    stdin.write('\u0011');
    const { code, out } = await running.ended;
    expect({ code, raw: terminal.raw }).toEqual({ code: 0, raw: false });
    expect(out).toBe("Session ended, resume using 'podwright attach tty -c a -n default -i -t' command\n");
    await eventually(() => sent.join('') === 'ab\u0010xc');
  });

  it.each([
    ['attach', 'error: at least 1 argument is required for attach'],
    ['attach done', 'error: cannot attach a container in a completed pod; current phase is Succeeded'],
    ['attach tty --detach-keys=ctrl-1', "error: could not bind detach keys: Unknown character: 'ctrl-1'"],
  ])('refuses %s', async (line, message) => {
    const { code, err } = await shell.run(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});
