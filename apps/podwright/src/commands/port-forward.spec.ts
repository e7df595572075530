import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { connect, type Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { donePod, webPod } from '../fixtures/objects.js';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell, type Running } from '../fixtures/test-shell.js';

describe('podwright port-forward', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, donePod]) api.put(object);
  });
  afterEach(() => api.stop());

  /** The port that the command listens on, once it says so. */
  async function portOf(running: Running): Promise<number> {
    await eventually(() => /Forwarding from 127\.0\.0\.1:\d+/.test(running.out()) || running.err() !== '');
    return Number(/127\.0\.0\.1:(\d+)/.exec(running.out())?.[1]);
  }
  const textOf = (connection: Socket): { text: string; ended: boolean } => {
    const seen = { text: '', ended: false };
    connection.on('data', (bytes) => (seen.text += bytes.toString())).on('end', () => (seen.ended = true));
    return seen;
  };

  it('joins each connection to the pod by a WebSocket of its own', async () => {
    const urls: string[] = [];
    api.session = (socket, url) => {
      urls.push(url);
      expect(socket.protocol).toBe('v4.channel.k8s.io');
      // Both channels start with the port, here in two pieces.
      socket.send(Buffer.of(0, 80));
      socket.send(Buffer.of(0, 0));
      socket.send(Buffer.of(1, 80, 0));
      socket.on('message', (data) => {
        socket.send(Buffer.concat([Buffer.of(0), Buffer.from('echo '), (data as Buffer).subarray(1)]));
        socket.close();
      });
    };
    const running = shell.start('port-forward web :http');
    const port = await portOf(running);
    for (const text of ['one', 'two']) {
      const connection = connect(port, '127.0.0.1');
      const seen = textOf(connection);
      connection.write(text);
      await eventually(() => seen.ended);
      expect(seen.text).toBe(`echo ${text}`);
    }
    expect(urls).toEqual(Array(2).fill('/api/v1/namespaces/default/pods/web/portforward?ports=80'));
    running.interrupt();
    const { code, out } = await running.ended;
    expect(code).toBe(0);
    expect(out).toContain(`Forwarding from 127.0.0.1:${port} -> 80\n`);
    expect(out).toContain(`Handling connection for ${port}\n`);
  });

  it('waits for the answer after the local side has said all', async () => {
    let asked: WebSocket | undefined;
    api.session = (socket) => socket.once('message', () => (asked = socket));
    const running = shell.start('port-forward web :80');
    const connection = connect(await portOf(running), '127.0.0.1');
    const seen = textOf(connection);
    connection.end('question');
    await eventually(() => asked !== undefined);
    asked?.send(Buffer.concat([Buffer.of(0, 80, 0), Buffer.from('late')]));
    asked?.close();
    await eventually(() => seen.ended);
    expect(seen.text).toBe('late');
    running.interrupt();
    await running.ended;
  });

  it('lets the pod go when nothing more comes after that', async () => {
    let closed = false;
    let asked = false;
    api.session = (socket) => socket.once('message', () => (asked = true)).once('close', () => (closed = true));
    const running = shell.start('port-forward web :80');
    connect(await portOf(running), '127.0.0.1').end('question');
    await eventually(() => asked);
    await eventually(async () => {
      await shell.clock.advance(1_000);
      return closed;
    });
    running.interrupt();
    await running.ended;
  });

  it('reports what the pod refuses, and goes on', async () => {
    api.session = (socket) => {
      socket.send(Buffer.of(0, 80, 0));
      socket.send(Buffer.concat([Buffer.of(1, 80, 0), Buffer.from('connection refused')]));
      socket.close();
    };
    const running = shell.start('port-forward web :80');
    const connection = connect(await portOf(running), '127.0.0.1');
    const seen = textOf(connection);
    await eventually(() => seen.ended && running.err() !== '');
    expect(running.err()).toMatch(/^an error occurred forwarding \d+ -> 80: connection refused\n$/);
    running.interrupt();
    expect((await running.ended).code).toBe(0);
  });

  it('fails when the port is taken', async () => {
    const first = shell.start('port-forward web :80 --address 127.0.0.1');
    const port = await portOf(first);
    const { code, err } = await shell.run(`port-forward web ${port}:80 --address 127.0.0.1`);
    expect(code).toBe(1);
    expect(err).toContain(`error: unable to listen on port ${port}: Listeners failed to create`);
    first.interrupt();
    await first.ended;
  });

  it.each([
    ['port-forward web', 'error: TYPE/NAME and list of ports are required for port-forward'],
    ['port-forward done 80', 'error: unable to forward port because pod is not running. Current status=Succeeded'],
    ['port-forward web nope', "error: Pod 'web' does not have a named port 'nope'"],
    ['port-forward web 80:90:100', "error: invalid port format '80:90:100'"],
    ['port-forward web 70000', 'error: unable to parse port "70000": value out of range'],
  ])('refuses %s', async (line, message) => {
    const { code, err } = await shell.run(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});
