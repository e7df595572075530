import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { askRoutes } from '@podwright/server-interface/contract';
import { HealthSlis } from './health-slis.js';
import { endpointsDeps } from '../../fixtures/endpoints-deps.js';
import { UnguardedEndpoints } from '../unguarded-endpoints.js';
import { healthzRoutes, ping } from './healthz-routes.js';
import { logHealth } from './log-health.js';
import { slisRoutes } from './slis-routes.js';

describe('/healthz', () => {
  it('lists early checks before those of other modules, whoever starts first', async () => {
    const check = () => ({ ok: true }) as const;
    const checks = [
      { name: 'device-plugin', check },
      { name: 'syncloop', early: true, check },
    ];
    const routes = new UnguardedEndpoints({ ...endpointsDeps(), checks }).routes({ reset: false });
    const { body } = await askRoutes(routes, 'GET', '/healthz?verbose');
    expect(body).toBe('[+]ping ok\n[+]syncloop ok\n[+]device-plugin ok\nhealthz check passed\n');
  });
});

describe('/metrics/slis', () => {
  const broken = { name: 'syncloop', check: () => ({ ok: false, reason: 'late' }) as const };

  it('counts the checks of /healthz, and begins anew when told to', async () => {
    const slis = new HealthSlis(2);
    const observe = slis.observe.bind(slis);
    const routes = [...healthzRoutes([ping, broken], observe), ...slisRoutes(slis, 2_000, { reset: true })];
    for (const path of ['/healthz', '/healthz?exclude=ping', '/healthz/ping']) await askRoutes(routes, 'GET', path);
    const { headers, body } = await askRoutes(routes, 'GET', '/metrics/slis');
    expect(headers['Process-Start-Time-Unix']).toBe('2');
    for (const line of [
      'kubernetes_healthcheck{name="ping",type="healthz"} 1',
      'kubernetes_healthcheck{name="syncloop",type="healthz"} 0',
      'kubernetes_healthchecks_total{name="ping",status="success",type="healthz"} 1',
      'kubernetes_healthchecks_total{name="syncloop",status="error",type="healthz"} 2',
      'process_start_time_seconds 2',
      '# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.',
    ]) {
      expect(body).toContain(`${line}\n`);
    }
    expect(await askRoutes(routes, 'DELETE', '/metrics/slis')).toMatchObject({ status: 200, body: 'metrics reset\n' });
    const after = await askRoutes(routes, 'POST', '/metrics/slis');
    expect(after.body).not.toContain('kubernetes_healthcheck');
    expect(after.body).toContain('process_start_time_seconds 2\n');
  });

  it('is only read where resetting is not offered', async () => {
    const slis = new HealthSlis(0);
    slis.observe('ping', true);
    const routes = slisRoutes(slis, 0, { reset: false });
    expect((await askRoutes(routes, 'DELETE', '/metrics/slis')).body).toContain('kubernetes_healthcheck{');
  });
});

describe('the check of the log', () => {
  it('fails while lines have been waiting for two minutes', async () => {
    const clock = new VirtualClock();
    let flushed: () => void = () => undefined;
    const { name, check } = logHealth(() => new Promise((resolve) => (flushed = resolve)), clock);
    expect([name, check()]).toEqual(['log', { ok: true }]);
    await clock.advance(119_999);
    expect(check()).toEqual({ ok: true });
    await clock.advance(1);
    expect(check()).toEqual({ ok: false, reason: 'logging blocked' });
    flushed();
    await clock.advance(0);
    expect(check()).toEqual({ ok: true });
  });
});
