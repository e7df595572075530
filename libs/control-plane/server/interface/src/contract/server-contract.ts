import { afterEach, describe, expect, it } from '@jest/globals';
import type { Health } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { KubeletServer } from '../server.js';
import { get } from './http-get.js';

/** A server with all its listeners on loopback, on ports of its own. */
export interface ServerHarness {
  readonly server: KubeletServer;
  /** Another server with the same configuration. */
  readonly rival: KubeletServer;
  /** Sets what the pod manager holds. */
  setPods(pods: readonly Pod[]): void;
  /** Sets the health of the sync loop. */
  setHealth(health: Health): void;
  /** The authority of the main listener's certificate, PEM. */
  readonly ca: string;
  /** Bearer tokens of somebody who may do everything, and of `visitor`, who may `get` `metrics` and nothing else. */
  readonly tokens: { readonly admin: string; readonly visitor: string };
}

// One path of every kind that a main listener has; what is not there is nobody's secret.
const guardedPaths = [
  ...['/healthz', '/pods', '/metrics', '/metrics/probes', '/stats/summary', '/configz', '/runningpods/', '/logs/'],
  ...['/exec/n/p/c', '/attach/n/p/c', '/portForward/n/p', '/run/n/p/c', '/containerLogs/n/p/c', '/checkpoint/n/p/c'],
  ...['/debug/pprof/heap', '/debug/flags/v', '/statusz', '/flagz'],
];

/** What the listeners of every kubelet server have to answer. */
export function describeServerContract(name: string, create: () => Promise<ServerHarness>): void {
  describe(`${name} as a KubeletServer`, () => {
    const running: KubeletServer[] = [];
    afterEach(async () => {
      for (const server of running.splice(0)) await server.stop();
    });
    async function started(): Promise<
      ServerHarness & { readonly healthz: string; readonly readOnly: string; readonly https: string }
    > {
      const harness = await create();
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
      await expect(get(healthz, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await expect(get(readOnly, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
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

    it('lists pods, and null when there are none', async () => {
      const { readOnly, setPods } = await started();
      const list = async (): Promise<unknown> => JSON.parse((await get(readOnly, '/pods')).body);
      expect(await list()).toEqual({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: null });
      const pod: Pod = { metadata: { name: 'a', uid: 'u' }, spec: { containers: [{ name: 'c' }] } };
      setPods([pod]);
      expect(await list()).toEqual({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [pod] });
    });

    it('asks everybody who he is before anything else on the main port', async () => {
      const { https, ca } = await started();
      for (const path of guardedPaths) {
        for (const method of ['GET', 'POST', 'DELETE', 'HEAD']) {
          const { status } = await get(https, path, method, { tls: { ca } });
          expect([method, path, status === 404 || status === 401]).toEqual([method, path, true]);
        }
      }
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
      const { status, headers } = await get(readOnly, '/metrics');
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
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
