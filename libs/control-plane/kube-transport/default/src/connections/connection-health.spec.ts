import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { eventually } from '@podwright/time';
import { openSeverableLink } from '../fixtures/severable-link.js';
import { failed, get, text, TransportHarness } from '../fixtures/transport-harness.js';

let harness: TransportHarness;
beforeAll(async () => {
  harness = await TransportHarness.create();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

describe('a connection of HTTP/2', () => {
  it('on which nothing comes is asked after 30 s and given up 15 s later, with all its streams', async () => {
    const server = await harness.serve((_request, response) => void response.write('w'));
    const link = await openSeverableLink(server.port);
    harness.later(() => link.close());
    const clock = harness.virtualClock();
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${link.port}` }, { clock });
    const watches = await Promise.all(Array.from({ length: 3 }, () => get(transport)));
    await clock.advance(0);
    link.setSilent(true);
    const endings: Error[] = [];
    const reading = watches.map(async (watch) => endings.push(await failed(text(watch))));
    await clock.advance(28_000);
    expect(link.swallowed()).toBe(0);
    await clock.advance(8_000);
    expect(link.swallowed()).toBeGreaterThan(0);
    await clock.advance(7_000);
    expect(endings).toEqual([]);
    await clock.advance(7_000);
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
    const clock = harness.virtualClock();
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { clock });
    const watch = await get(transport);
    let ended = false;
    const reading = failed(text(watch)).then(() => (ended = true));
    await clock.advance(300_000);
    expect([ended, server.made.sessions, server.sessions.size]).toEqual([false, 1, 1]);
    await transport.stop();
    await reading;
    expect(clock.pendingTimers).toBe(0);
  });

  it('is closed when nobody has used it for 90 s', async () => {
    const server = await harness.serve((_request, response) => void response.end('x'));
    const clock = harness.virtualClock();
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { clock });
    await text(await get(transport));
    await clock.advance(85_000);
    expect(server.sessions.size).toBe(1);
    await clock.advance(10_000);
    await eventually(() => server.sessions.size === 0);
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
    const clock = harness.virtualClock();
    const { port } = silent.address() as AddressInfo;
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${port}` }, { clock });
    let ending: Error | undefined;
    const asking = failed(get(transport)).then((error) => (ending = error));
    await clock.advance(0);
    await clock.advance(9_000);
    expect(ending).toBeUndefined();
    await clock.advance(2_000);
    await asking;
    expect(ending?.message).toContain('net/http: TLS handshake timeout (check routes and firewalls');
    expect(hasCode(ending, 'unavailable')).toBe(true);
  });
});
