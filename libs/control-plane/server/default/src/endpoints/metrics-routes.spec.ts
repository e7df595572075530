import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createMetricsRegistry, type MetricsSource } from '@podwright/metrics';
import { askRoutes, type Asked } from '@podwright/server-interface/contract';
import { metricsRoutes } from './metrics-routes.js';

const registry = createMetricsRegistry();
registry.counter({ name: 'starts_total', help: 'Starts.' }).increment();

const scrape = (headers: Readonly<Record<string, string>>, source: MetricsSource = registry): Promise<Asked> =>
  askRoutes(metricsRoutes(source, [{ name: 'probes', source }], 5_999), 'GET', '/metrics/probes', { headers });

const message = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited';
const prometheus =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1';

describe('pages of metrics', () => {
  it.each([
    ['', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
    ['*/*', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
    ['text/html', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
    ['text/plain;escaping=allow-utf-8', 'text/plain; version=0.0.4; charset=utf-8; escaping=allow-utf-8'],
    [prometheus, 'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=allow-utf-8'],
    [
      'application/openmetrics-text',
      'application/openmetrics-text; version=0.0.1; charset=utf-8; escaping=underscores',
    ],
    [
      `text/plain;q=0.5,${message}`,
      'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=underscores',
    ],
  ])('Accept: %s', async (accept, contentType) => {
    const { status, headers, bytes, body } = await scrape({ accept });
    expect([status, headers['Content-Type']]).toEqual([200, contentType]);
    if (contentType.startsWith('text/plain')) expect(body).toContain('# TYPE starts_total counter\nstarts_total 1\n');
    else if (contentType.includes('openmetrics')) expect(body).toMatch(/starts_total 1(?:\.0)?\n[^]*# EOF\n$/);
    else expect(bytes.includes('\n\fstarts_total')).toBe(true);
  });

  it.each([
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['deflate, gzip;q=1.0, *;q=0.5', true],
    ['gzip;q=0', false],
    ['identity', false],
    ['*', false],
    ['br', false],
    ['', false],
  ])('Accept-Encoding: %s', async (encoding, isCompressed) => {
    const { headers, bytes } = await scrape({ 'accept-encoding': encoding });
    expect(headers['Content-Encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect((isCompressed ? gunzipSync(bytes) : bytes).toString()).toContain('starts_total 1\n');
  });

  it('tells when the process started', async () => {
    const routes = metricsRoutes(registry, [{ name: 'probes', source: registry }], 5_999);
    for (const page of ['/metrics', '/metrics/probes'])
      expect((await askRoutes(routes, 'GET', page)).headers['Process-Start-Time-Unix']).toBe('5');
  });

  it('says why there is nothing', async () => {
    const source = { gather: () => Promise.reject(new Error('no cgroups')) };
    expect(await scrape({}, source)).toMatchObject({
      status: 500,
      body: 'An error has occurred while serving metrics:\n\nno cgroups\n',
    });
  });

  it('makes no more than is read', async () => {
    let made = 0;
    const points = function* () {
      for (; made < 100_000; made++) yield { labels: [['n', String(made)]], value: 1 } as const;
    };
    const source: MetricsSource = {
      gather: async () => [{ name: 'many', help: 'h', type: 'gauge', points: { [Symbol.iterator]: points } }],
    };
    const [route] = metricsRoutes(source, [], 0);
    const answer = await route?.handle({
      ...{
        method: 'GET',
        path: '/metrics',
        query: new URLSearchParams(),
        headers: {},
        parameters: {},
        user: undefined,
      },
      signal: new AbortController().signal,
      body: async () => Buffer.alloc(0),
    });
    expect(answer?.status).toBe(200);
    expect(made).toBeLessThan(5_000);
  });
});
