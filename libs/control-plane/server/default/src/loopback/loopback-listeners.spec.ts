import { afterEach, describe, expect, it } from '@jest/globals';
import { text } from '@podwright/http-answer';
import { get } from '@podwright/server-interface/contract';
import type { LoopbackListener } from '@podwright/server-interface';
import { createHttpHarness, type HttpHarness } from '../fixtures/http-harness.js';

const started: HttpHarness[] = [];
afterEach(async () => {
  for (const { server } of started.splice(0)) await server.stop();
});

const opened: string[] = [];
const page: LoopbackListener = {
  ...{ name: 'a page', fields: '--page-address', host: '127.0.0.1', port: 0 },
  routes: [{ path: '/page', methods: ['GET'], handle: ({ user }) => text(200, `user ${user?.name ?? 'none'}`) }],
  refuse: ({ query }) => (query.get('token') === 'right' ? undefined : text(401, 'no token')),
  opened: async (address) => void opened.push(address),
};

async function start(wanted: LoopbackListener): Promise<HttpHarness> {
  const harness = await createHttpHarness({ healthzPort: 0, readOnlyPort: 0 }, { loopbackListeners: [wanted] });
  started.push(harness);
  await harness.server.start();
  return harness;
}

describe('listeners on loopback', () => {
  it('serve their own routes, and nothing else, to whom the module lets in', async () => {
    const { server } = await start(page);
    const address = server.addresses().loopback?.['a page'] ?? '';
    expect(opened).toEqual([address]);
    expect(await get(address, '/page?token=right')).toMatchObject({ status: 200, body: 'user none' });
    expect(await get(address, '/page?token=wrong')).toMatchObject({ status: 401, body: 'no token' });
    expect(await get(address, '/page', 'POST')).toMatchObject({ status: 401 });
    expect((await get(address, '/pods?token=right')).status).toBe(404);
    await server.stop();
    expect(server.addresses()).toEqual({});
    await expect(get(address, '/page?token=right')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('do not start on another address, nor on a port that is taken, and say what to change', async () => {
    await expect(start({ ...page, host: '0.0.0.0' })).rejects.toThrow(
      'cannot listen for a page on 0.0.0.0: that is no address of loopback; change --page-address',
    );
    await expect(start({ ...page, host: '::' })).rejects.toThrow('no address of loopback');
    const { server } = await start(page);
    const port = Number(server.addresses().loopback?.['a page']?.split(':')[1]);
    await expect(start({ ...page, port })).rejects.toThrow(
      `cannot listen for a page on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}; free the port or change --page-address`,
    );
  });

  it('do not start when the module cannot make it usable', async () => {
    const opened = (): Promise<void> => Promise.reject(new Error('no space left'));
    await expect(start({ ...page, opened })).rejects.toThrow('no space left');
  });
});
