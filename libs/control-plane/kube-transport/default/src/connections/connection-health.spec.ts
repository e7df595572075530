import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { VirtualClock } from '@podwright/time';
import { openSeverableLink } from '../fixtures/severable-link.js';
import { failed, get, text, TransportHarness, until } from '../fixtures/transport-harness.js';

let harness: TransportHarness;
beforeAll(async () => {
  harness = await TransportHarness.create();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

/** Lets sockets of this process have their say. */
const breathe = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};
async function pass(clock: VirtualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1_000);
    await breathe();
  }
}

describe('a connection of HTTP/2', () => {
  it('on which nothing comes is asked after 30 s and given up 15 s later, with all its streams', async () => {
    const server = await harness.serve((_request, response) => void response.write('w'));
    const link = await openSeverableLink(server.port);
    harness.later(() => link.close());
    const clock = new VirtualClock();
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${link.port}` }, { clock });
    const watches = await Promise.all(Array.from({ length: 3 }, () => get(transport)));
    await breathe();
    link.setSilent(true);
    const endings: Error[] = [];
    const reading = watches.map(async (watch) => endings.push(await failed(text(watch))));
    await pass(clock, 28);
    expect(link.swallowed()).toBe(0);
    await pass(clock, 8);
    expect(link.swallowed()).toBeGreaterThan(0);
    await pass(clock, 7);
    expect(endings).toEqual([]);
    await pass(clock, 7);
    await Promise.all(reading);
    expect(endings.map((error) => [hasCode(error, 'unavailable'), error.message])).toEqual(
      Array.from({ length: 3 }, () => [
        true,
        'http2: client connection lost: the API server did not answer a ping within 15s',
      ]),
    );
    link.setSilent(false);
    const response = await get(transport);
    expect([response.status, server.made.sessions]).toEqual([200, 2]);
    await transport.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('that answers lives on, however quiet its streams are', async () => {
    const server = await harness.serve((_request, response) => void response.write('w'));
    const clock = new VirtualClock();
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { clock });
    const watch = await get(transport);
    let ended = false;
    const reading = failed(text(watch)).then(() => (ended = true));
    await pass(clock, 300);
    expect([ended, server.made.sessions, server.sessions.size]).toEqual([false, 1, 1]);
    await transport.stop();
    await reading;
    expect(clock.pendingTimers).toBe(0);
  });

  it('is closed when nobody has used it for 90 s', async () => {
    const server = await harness.serve((_request, response) => void response.end('x'));
    const clock = new VirtualClock();
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { clock });
    await text(await get(transport));
    await pass(clock, 85);
    expect(server.sessions.size).toBe(1);
    await pass(clock, 10);
    await until(() => server.sessions.size === 0);
    expect(clock.pendingTimers).toBe(0);
    await text(await get(transport));
    expect(server.made.sessions).toBe(2);
  });
});

describe('a server that takes connections and says nothing', () => {
  it('is given up when the time for the handshake is over', async () => {
    const silent = createServer(() => undefined);
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    harness.later(async () => void silent.close());
    const clock = new VirtualClock();
    const { port } = silent.address() as AddressInfo;
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${port}` }, { clock });
    let ending: Error | undefined;
    const asking = failed(get(transport)).then((error) => (ending = error));
    await breathe();
    await pass(clock, 9);
    expect(ending).toBeUndefined();
    await pass(clock, 2);
    await asking;
    expect(ending?.message).toContain('net/http: TLS handshake timeout (check routes and firewalls');
    expect(hasCode(ending, 'unavailable')).toBe(true);
  });
});
