import { afterEach, describe, expect, it } from '@podwright/contract';
import type { Health } from '@podwright/assembly-interface';
import { text } from '@podwright/http-answer';
import type { ServerRoute } from '../server-routes.js';
import type { KubeletServer } from '../server.js';
import { get } from './http-get.js';

/** A server with all its listeners on loopback, each on a free port. */
export interface ServerHarness {
  readonly server: KubeletServer;
  /** Another server with the same configuration. */
  readonly rival: KubeletServer;
  /** Sets the health of the check `syncloop`. */
  setHealth(health: Health): void;
  /** The CA of the main listener's certificate, PEM. */
  readonly ca: string;
  /** Bearer tokens of a user who may do everything, and of `visitor`, who may only `get` `metrics`. */
  readonly tokens: { readonly admin: string; readonly visitor: string };
}

const open = ['/pods', '/stats/summary'];
const guarded = [
  ...['/exec/n/p/c', '/attach/n/p/c', '/portForward/n/p', '/run/n/p/c', '/containerLogs/n/p/c', '/checkpoint/n/p/c'],
  ...['/runningpods/', '/logs/', '/debug/pprof/heap'],
];
/** In place of the routes of other modules. */
const contributed: readonly ServerRoute[] = [...open, ...guarded].map((path) => ({
  path,
  methods: 'any',
  readOnlyPort: open.includes(path),
  handle: () => text(200, path),
}));
// The server's own. An unknown path has nothing to protect.
const ownPaths = ['/healthz', '/metrics', '/metrics/slis', '/configz', '/debug/flags/v', '/statusz', '/flagz'];

/**
 * Every implementation of {@link KubeletServer} passes this suite; `create` gives a new instance per case, which serves
 * the routes that it is given.
 */
export function describeServerContract(
  name: string,
  create: (routes: readonly ServerRoute[]) => Promise<ServerHarness>,
): void {
  describe(`${name} as a KubeletServer`, () => {
    const running: KubeletServer[] = [];
    afterEach(async () => {
      for (const server of running.splice(0)) await server.stop();
    });
    async function started(): Promise<
      ServerHarness & { readonly healthz: string; readonly readOnly: string; readonly https: string }
    > {
      const harness = await create(contributed);
      running.push(harness.server);
      await harness.server.start();
      const { healthz = '', readOnly = '', https = '' } = harness.server.addresses();
      return { ...harness, healthz, readOnly, https };
    }

    it('has addresses while it runs', async () => {
      const { server, healthz, readOnly, https } = await started();
      expect(https).toMatch(/:\d+$/);
      expect(healthz).toMatch(/:\d+$/);
      expect(readOnly).toMatch(/:\d+$/);
      await server.stop();
      await server.stop();
      expect(server.addresses()).toEqual({});
      for (const address of [https, healthz, readOnly]) {
        await expect(get(address, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      }
    });

    it('is alive on the healthz port whatever the sync loop does', async () => {
      const { healthz, readOnly, setHealth } = await started();
      expect(await get(healthz, '/healthz')).toMatchObject({ status: 200, body: 'ok' });
      expect(await get(readOnly, '/healthz')).toMatchObject({ status: 200, body: 'ok' });
      setHealth({ ok: false, reason: 'sync Loop took longer than expected' });
      expect((await get(healthz, '/healthz')).status).toBe(200);
      expect(await get(readOnly, '/healthz')).toMatchObject({
        status: 500,
        body: '[+]ping ok\n[-]syncloop failed: reason withheld\nhealthz check failed\n',
      });
    });

    it('serves what other modules contribute, to anyone only what is meant for the read-only port', async () => {
      const { readOnly, https, ca, tokens } = await started();
      const headers = { authorization: `Bearer ${tokens.admin}` };
      for (const { path, readOnlyPort = false } of contributed) {
        expect([path, (await get(readOnly, path)).body === path]).toEqual([path, readOnlyPort]);
        expect(await get(https, path, 'GET', { tls: { ca }, headers })).toMatchObject({ status: 200, body: path });
      }
    });

    it('asks everybody who he is before anything else on the main port', async () => {
      const { https, ca } = await started();
      const expectRefused = async (path: string, statuses: readonly number[]): Promise<void> => {
        for (const method of ['GET', 'POST', 'DELETE', 'HEAD']) {
          const { status } = await get(https, path, method, { tls: { ca } });
          expect([method, path, statuses.includes(status)]).toEqual([method, path, true]);
        }
      };
      for (const { path } of contributed) await expectRefused(path, [401]);
      for (const path of ownPaths) await expectRefused(path, [401, 404]);
      expect(await get(https, '/pods', 'GET', { tls: { ca } })).toMatchObject({ status: 401, body: 'Unauthorized' });
      const headers = { authorization: 'Bearer nobodys' };
      expect(await get(https, '/pods', 'GET', { tls: { ca }, headers })).toMatchObject({ status: 401 });
    });

    it('lets those through who may, and tells others what they lack', async () => {
      const { https, ca, tokens } = await started();
      const as = (token: string, path: string) =>
        get(https, path, 'GET', { tls: { ca }, headers: { authorization: `Bearer ${token}` } });
      expect(await as(tokens.admin, '/pods')).toMatchObject({ status: 200 });
      expect(await as(tokens.visitor, '/metrics')).toMatchObject({ status: 200 });
      expect(await as(tokens.visitor, '/pods')).toMatchObject({
        status: 403,
        body: 'Forbidden (user=visitor, verb=get, resource=nodes, subresource(s)=[pods proxy])\n',
      });
    });

    it('shows metrics', async () => {
      const { readOnly } = await started();
      const { status, headers, body } = await get(readOnly, '/metrics');
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
      expect(body).toMatch(/^# TYPE /m);
    });

    it('has nothing to debug on the read-only port, and nothing but healthz on the other', async () => {
      const { healthz, readOnly } = await started();
      expect(await get(readOnly, '/exec/default/a/c', 'POST')).toMatchObject({
        status: 405,
        body: 'Debug endpoints are disabled.\n',
      });
      expect((await get(readOnly, '/nothing')).status).toBe(404);
      expect((await get(healthz, '/pods')).status).toBe(404);
    });

    it('does not start on a port that is taken, and leaves nothing behind then', async () => {
      const { rival } = await started();
      await expect(rival.start()).rejects.toThrow('EADDRINUSE');
      expect(rival.addresses()).toEqual({});
    });
  });
}
