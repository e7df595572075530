import { afterEach, describe, expect, it } from '@podwright/contract';
import type { ErrorCode } from '@podwright/errors';
import type { Duplex } from 'node:stream';
import type { Streaming, StreamSession, UpgradeRequest } from '../streaming.js';

/** A client's connection, after the server has read the request. */
export interface ClientConnection {
  /** The client's side. */
  readonly client: Duplex;
  /** The server's side, with the request: an upgrade to SPDY. */
  readonly request: UpgradeRequest;
}

/**
 * One fresh instance, not started, and a runtime with the pod `default/web` (UID `uid-1`) and its running container
 * `app`.
 */
export interface StreamingHarness {
  readonly streaming: Streaming;
  /** Opens a client's connection; `head` are bytes that arrive with the request. */
  connect(head?: string): Promise<ClientConnection>;
  /**
   * Sets how the runtime serves the next sessions. `echo`: upgrades, and sends all bytes and the end back; `refuse`:
   * answers 403 with the body `no`; `hang`: never answers.
   */
  setRuntime(behaviour: 'echo' | 'refuse' | 'hang'): void;
  /** Makes the next CRI call fail with this code. */
  failNextCall(code: ErrorCode): void;
  /** Sets the output and exit code of the command `report` of `run`. */
  setCommand(outcome: { readonly stdout: string; readonly stderr: string; readonly exitCode: number }): void;
  /** Number of sockets to the runtime and timers that are left. */
  leftOver(): Promise<number>;
  /** Releases the harness's own resources. */
  dispose(): Promise<void>;
}

const pod = { podUid: 'uid-1', podName: 'web', podNamespace: 'default' };
const streams = { stdin: true, stdout: true, stderr: true, tty: false };
const exec: StreamSession = { kind: 'exec', ...pod, container: 'app', command: ['sh'], ...streams };
const sessions: readonly StreamSession[] = [
  exec,
  { kind: 'attach', ...pod, container: 'app', ...streams },
  { kind: 'portforward', ...pod, ports: [] },
];

/** Every implementation of {@link Streaming} passes this suite; `create` gives a new instance per case. */
export function describeStreamingContract(name: string, create: () => Promise<StreamingHarness>): void {
  describe(`${name} as a Streaming`, () => {
    let harness: StreamingHarness | undefined;
    const begin = async (): Promise<StreamingHarness> => {
      harness = await create();
      await harness.streaming.start();
      return harness;
    };
    afterEach(async () => {
      await harness?.streaming.stop();
      expect(await harness?.leftOver()).toBe(0);
      await harness?.dispose();
    });
    const never = new AbortController().signal;

    it('can be stopped before it was started, and twice', async () => {
      harness = await create();
      await harness.streaming.stop();
      await harness.streaming.stop();
      expect(() => harness?.streaming.healthy()).not.toThrow();
    });

    it.each(sessions)('joins the client and the runtime: $kind', async (session) => {
      const { streaming, connect } = await begin();
      const { client, request } = await connect('early ');
      const served = streaming.serve(session, request, never);
      client.write('late');
      client.end();
      const answer = await textOf(client);
      await served;
      expect(answer).toMatch(/^HTTP\/1\.1 101 /);
      expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe('early late');
    });

    it('hands a refusal of the runtime on', async () => {
      const { streaming, connect, setRuntime } = await begin();
      setRuntime('refuse');
      const { client, request } = await connect();
      const served = streaming.serve(exec, request, never);
      const answer = await textOf(client);
      await served;
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
      expect(answer).toMatch(/\r\n\r\nno$/);
    });

    it.each([
      ['a container that is not there', { ...exec, container: 'other' }],
      ['a pod that is not there', { ...sessions[2], podName: 'other', podUid: 'uid-2' } as StreamSession],
    ])('rejects for %s, and nothing was written', async (_, session) => {
      const { streaming, connect } = await begin();
      const { client, request } = await connect();
      await expect(streaming.serve(session, request, never)).rejects.toMatchObject({ code: 'internal' });
      request.socket.end();
      client.end();
      expect(await textOf(client)).toBe('');
    });

    it.each<ErrorCode>(['not-found', 'resource-exhausted', 'unavailable'])(
      "keeps the runtime's error class: %s",
      async (code) => {
        const { streaming, connect, failNextCall } = await begin();
        failNextCall(code);
        const { client, request } = await connect();
        await expect(streaming.serve(exec, request, never)).rejects.toMatchObject({ code });
        request.socket.destroy();
        client.destroy();
      },
    );

    it('requests a session that no client takes over, and rejects as for one that a client does', async () => {
      const { streaming, failNextCall } = await begin();
      await streaming.prepare(exec, never);
      const other = { ...exec, container: 'other' } as StreamSession;
      await expect(streaming.prepare(other, never)).rejects.toMatchObject({ code: 'internal' });
      failNextCall('not-found');
      await expect(streaming.prepare(exec, never)).rejects.toMatchObject({ code: 'not-found' });
    });

    it('ends a session with its signal, one that the runtime has not answered too', async () => {
      const { streaming, connect, setRuntime } = await begin();
      const joined = await connect();
      const first = new AbortController();
      const served = streaming.serve(exec, joined.request, first.signal);
      joined.client.write('x');
      await firstBytes(joined.client);
      first.abort();
      await served;
      setRuntime('hang');
      const waiting = await connect();
      const second = new AbortController();
      const hanging = streaming.serve(exec, waiting.request, second.signal);
      second.abort();
      await expect(hanging).rejects.toThrow();
      [joined, waiting].forEach(({ client, request }) => {
        client.destroy();
        request.socket.destroy();
      });
    });

    it('ends all sessions when it is stopped', async () => {
      const { streaming, connect } = await begin();
      const { client, request } = await connect();
      const served = streaming.serve(exec, request, never);
      await firstBytes(client);
      await streaming.stop();
      await served;
      client.on('error', () => undefined).write('late');
      expect(await textOf(client)).not.toContain('late');
      const late = await connect();
      await expect(streaming.serve(exec, late.request, never)).rejects.toThrow();
      late.client.destroy();
      late.request.socket.destroy();
    });

    it('runs a command and gives stdout followed by stderr; a command that fails rejects', async () => {
      const { streaming, setCommand } = await begin();
      const request = { ...pod, container: 'app', command: ['report', 'all'], signal: never };
      setCommand({ stdout: 'out', stderr: 'err', exitCode: 0 });
      expect(Buffer.from(await streaming.run(request)).toString()).toBe('outerr');
      setCommand({ stdout: 'out', stderr: 'err', exitCode: 3 });
      await expect(streaming.run(request)).rejects.toMatchObject({
        code: 'internal',
        message: "command 'report all' exited with 3: err",
      });
    });
  });
}

async function textOf(stream: Duplex): Promise<string> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise<void>((resolve) => {
    if (stream.closed || stream.readableEnded) resolve();
    stream
      .on('error', () => resolve())
      .once('end', resolve)
      .once('close', () => resolve());
  });
  return Buffer.concat(chunks).toString('latin1');
}

async function firstBytes(stream: Duplex): Promise<void> {
  await new Promise((resolve) => stream.once('data', resolve));
}
