import { describe, expect, it } from '@jest/globals';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { ApiCaller } from '../cases/api-caller.js';
import { createTestApiServer, type TestApiServer } from '../test-api-server.js';

const nodes = '/api/v1/nodes';

function setUp(): { readonly server: TestApiServer; readonly admin: ApiCaller; readonly clock: VirtualClock } {
  const clock = new VirtualClock();
  const server = createTestApiServer({ clock, random: createSeededRandom('faults') });
  return { server, clock, admin: new ApiCaller(server.transport()) };
}

describe('Faults', () => {
  it('answers the next requests with a status', async () => {
    const { server, admin } = setUp();
    server.faults.add({ type: 'status', status: 429, retryAfterSeconds: 2 }, { resource: 'nodes', verb: 'list' }, 2);
    expect((await admin.get('/version')).status).toBe(200);
    for (const status of [429, 429, 200]) expect((await admin.get(nodes)).status).toBe(status);
    server.faults.add({ type: 'status', status: 429, retryAfterSeconds: 2 });
    expect((await admin.get(nodes)).headers['retry-after']).toBe('2');
  });

  it.each([
    ['drop', false],
    ['drop', true],
  ] as const)('breaks the connection (%s, done: %s)', async (type, done) => {
    const { server, admin } = setUp();
    server.faults.add({ type, done });
    await expect(admin.post(nodes, { metadata: { name: 'n1' } })).rejects.toMatchObject({ code: 'unavailable' });
    expect((await admin.get(`${nodes}/n1`)).status).toBe(done ? 200 : 404);
  });

  it('says nothing until the client gives up', async () => {
    const { server, admin } = setUp();
    server.faults.blackHole();
    const giveUp = new AbortController();
    const asked = server.transport().send({ method: 'GET', path: nodes, headers: {} }, giveUp.signal);
    giveUp.abort(new Error('given up'));
    await expect(asked).rejects.toThrow('given up');
    server.faults.clear();
    expect((await admin.get(nodes)).status).toBe(200);
  });

  it('answers garbage and cuts answers', async () => {
    const { server, admin } = setUp();
    server.faults.add({ type: 'garbage' });
    await expect(admin.get(nodes)).rejects.toThrow(SyntaxError);
    server.faults.add({ type: 'cut', afterBytes: 10 });
    await expect(admin.get(nodes)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('answers late', async () => {
    const { server, admin, clock } = setUp();
    server.faults.add({ type: 'delay', delayMs: 5_000 });
    let done = false;
    const asked = admin.get(nodes).finally(() => (done = true));
    await clock.advance(4_999);
    expect(done).toBe(false);
    await clock.advance(1);
    expect((await asked).status).toBe(200);
  });

  it('executes what it answers with an error, later, or twice', async () => {
    const { server, admin, clock } = setUp();
    const create = (name: string) => admin.post(nodes, { metadata: { name } });
    server.faults.add({ type: 'status', status: 500, done: true });
    expect((await create('n1')).status).toBe(500);
    expect((await admin.get(`${nodes}/n1`)).status).toBe(200);
    server.faults.add({ type: 'late', delayMs: 1_000 });
    await expect(create('n2')).rejects.toMatchObject({ code: 'unavailable' });
    await clock.advance(999);
    expect((await admin.get(`${nodes}/n2`)).status).toBe(404);
    await clock.advance(1);
    expect((await admin.get(`${nodes}/n2`)).status).toBe(200);
    server.faults.add({ type: 'twice' });
    expect((await create('n3')).status).toBe(409);
    expect((await admin.get(`${nodes}/n3`)).status).toBe(200);
  });

  it('doubles the events of open watches', async () => {
    const { server, admin } = setUp();
    const events = await admin.watch(`${nodes}?watch=1`, 2, async () => {
      server.faults.streams.double();
      await admin.post(nodes, { metadata: { name: 'n1' } });
    });
    expect(events).toHaveLength(2);
    expect(events[0]).toEqual(events[1]);
    const silenced = admin.watch(`${nodes}?watch=1`, 2, async () => {
      server.faults.streams.silence();
      server.faults.streams.double();
      await admin.post(nodes, { metadata: { name: 'n2' } });
      server.faults.streams.cut();
    });
    await expect(silenced).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('garbles, cuts and ends open watches', async () => {
    const { server, admin } = setUp();
    const watch = `${nodes}?watch=1`;
    await expect(
      admin.watch(watch, 1, () => Promise.resolve(server.faults.streams.write('{"type"\n'))),
    ).rejects.toThrow(SyntaxError);
    await expect(admin.watch(watch, 1, () => Promise.resolve(server.faults.streams.cut()))).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await admin.watch(watch, 1, () => Promise.resolve(server.faults.streams.end()))).toEqual([]);
    expect(server.faults.streams.size).toBe(0);
  });

  it('keeps the data while nobody listens', async () => {
    const { server, admin } = setUp();
    await admin.post(nodes, { metadata: { name: 'n1' } });
    server.stop();
    await expect(admin.get(nodes)).rejects.toMatchObject({ code: 'unavailable' });
    server.start();
    expect((await admin.get(`${nodes}/n1`)).status).toBe(200);
  });
});

describe('RequestLog', () => {
  it('tells which calls were made', async () => {
    const { server, admin } = setUp();
    server.audit.clear();
    await admin.patch('merge', `${nodes}/n1/status`, {});
    await admin.get('/version');
    expect(server.audit.entries).toMatchObject([
      {
        user: 'kubernetes-admin',
        verb: 'patch',
        resource: 'nodes',
        subresource: 'status',
        name: 'n1',
        body: '{}',
        code: 404,
      },
      { verb: undefined, path: '/version', code: 200 },
    ]);
  });
});
