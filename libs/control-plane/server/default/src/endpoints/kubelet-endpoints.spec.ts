import { describe, expect, it } from '@jest/globals';
import { decodeOptions } from '@podwright/assembly-interface';
import { pageNotFound, text } from '@podwright/http-answer';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import { createMetricsRegistry } from '@podwright/metrics';
import type { KubeletProcess, ServerRoute } from '@podwright/server-interface';
import { askRoutes, type Asked } from '@podwright/server-interface/contract';
import { processStartSeconds } from '@podwright/time';
import { endpointsDeps } from '../fixtures/endpoints-deps.js';
import { serverConfig, type ServerConfig } from '../server-config.js';
import type { EndpointsNeeds } from './endpoints-needs.js';
import { KubeletEndpoints } from './kubelet-endpoints.js';

const metricsOf = (name: string): ReturnType<typeof createMetricsRegistry> => {
  const registry = createMetricsRegistry();
  registry.gauge({ name, help: 'h' }).set(1);
  return registry;
};

const kubelet: KubeletProcess = {
  configuration: { maxPods: 110 } as Partial<KubeletConfiguration> as KubeletConfiguration,
  flags: { v: '2', config: '/etc/kubelet' },
  version: 'v1.36.0',
  startedMs: 1_000,
  verbosity: 2,
  setVerbosity: () => undefined,
  flushLogs: () => Promise.resolve(),
};

function endpoints(deps: Partial<EndpointsNeeds> = {}, options: Partial<ServerConfig> = {}): KubeletEndpoints {
  const config = decodeOptions('server', serverConfig, options);
  return new KubeletEndpoints({ ...endpointsDeps(), kubelet, ...deps }, config);
}

const disabledPaths = [
  '/run/x',
  '/exec/x',
  '/attach/x',
  '/portForward/x',
  '/containerLogs/x',
  '/runningpods/',
  '/debug/pprof/heap',
  '/logs/',
];

describe('the read-only endpoints', () => {
  it.each([
    ['GET', '/healthz', 200, 'ok'],
    ['POST', '/healthz', 200, 'ok'],
    ['GET', '/healthz/log', 200, 'ok'],
    ['GET', '/healthz/device-plugin', 404, '404 page not found\n'],
    ['GET', '/metrics/other', 404, '404 page not found\n'],
    ['GET', '/healthz/other', 404, '404 page not found\n'],
    ['GET', '/', 404, '404 page not found\n'],
    ['GET', '/stats/summary', 404, '404 page not found\n'],
    ...['/configz', '/flagz', '/statusz', '/debug/flags/v', '/checkpoint/a/b/c'].map(
      (path) => ['GET', path, 404, '404 page not found\n'] as const,
    ),
    ...disabledPaths.map((path) => ['GET', path, 405, 'Debug endpoints are disabled.\n'] as const),
  ] as const)('%s %s: %i', async (method, path, status, body) => {
    expect(await askRoutes(endpoints().readOnly(), method, path)).toMatchObject({ status, body });
  });

  it('has the checks that other modules bring', async () => {
    const reason =
      'device registration error: device plugin registration gRPC server failed and no device plugins can register: gone';
    const routes = endpoints({ checks: [{ name: 'device-plugin', check: () => ({ ok: false, reason }) }] }).readOnly();
    expect(await askRoutes(routes, 'GET', '/healthz/device-plugin')).toMatchObject({
      status: 500,
      body: `internal server error: ${reason}\n`,
    });
    expect(await askRoutes(routes, 'GET', '/healthz')).toMatchObject({ status: 500 });
  });

  describe('routes that other modules bring', () => {
    const route = (path: string, debugging?: boolean): ServerRoute => ({
      path,
      methods: ['GET'],
      ...(debugging !== undefined && { debugging }),
      handle: ({ parameters: { name } }) => (name === '' || name === 'page' ? text(200, path) : pageNotFound),
    });
    const routes = [route('/debug/evictions/{name...}', true), route('/weather/{name...}')];

    it.each([
      ['GET', '/debug/evictions/', 200],
      ['GET', '/debug/evictions/page', 200],
      ['GET', '/debug/evictions/page/', 200],
      ['GET', '/debug/evictions', 307],
      ['POST', '/debug/evictions/', 405],
      ['DELETE', '/debug/evictions/page', 405],
      ['GET', '/debug/evictions/other', 404],
      ['GET', '/debug/evictions/page/more', 404],
      ['GET', '/debug/evictionsx', 404],
      ['GET', '/debug', 404],
      ['GET', '/weather/', 200],
    ])('%s %s: %i', async (method, path, status) => {
      expect((await askRoutes(endpoints({ routes }).main(), method, path)).status).toBe(status);
    });

    it('are on the main port alone, those for debugging only with the handlers for debugging', async () => {
      for (const { path } of routes) {
        const url = path.replace('{name...}', '');
        expect((await askRoutes(endpoints({ routes }).readOnly(), 'GET', url)).status).toBe(404);
      }
      const without = endpoints({ routes }, { enableDebuggingHandlers: false }).main();
      expect((await askRoutes(without, 'GET', '/weather/')).status).toBe(200);
      expect((await askRoutes(without, 'GET', '/debug/evictions/')).status).toBe(404);
    });

    it('are refused when their path differs from another in the names of parameters only', () => {
      const twice = [route('/a/{name}/{rest...}'), route('/a/{b}/{c...}')];
      expect(() => endpoints({ routes: twice }).main()).toThrow('two modules bring the endpoint /a/{b}/{c...}');
    });

    it('are refused when their path is taken', () => {
      expect(() => endpoints({ routes: [route('/configz')] }).main()).toThrow(
        'two modules bring the endpoint /configz: leave one of them out of the assembly',
      );
    });

    it.each([['slis'], ['weather', 'weather']])('are refused when a page of metrics has their path: %s', (...names) => {
      const pages = names.map((name) => ({ name, source: metricsOf(name) }));
      expect(() => endpoints({ pages }).readOnly()).toThrow(`two modules bring the endpoint /metrics/${names[0]}: `);
    });
  });

  it('has the metrics that other modules bring', async () => {
    const pages = [
      { name: 'probes', source: metricsOf('b') },
      { name: 'cadvisor', source: metricsOf('c') },
    ];
    const routes = endpoints({ metrics: metricsOf('a'), pages }).readOnly();
    const values = async (path: string): Promise<string> => (await askRoutes(routes, 'POST', path)).body;
    expect(await values('/metrics')).toContain('\na 1\n');
    expect(await values('/metrics/probes')).toContain('\nb 1\n');
    expect(await values('/metrics/cadvisor')).toContain('\nc 1\n');
    expect(await askRoutes(routes, 'GET', '/metrics/resource')).toMatchObject({ status: 404 });
  });

  it('does not let anybody reset what is measured', async () => {
    const routes = endpoints().readOnly();
    await askRoutes(routes, 'GET', '/healthz');
    await askRoutes(routes, 'DELETE', '/metrics/slis');
    expect((await askRoutes(routes, 'GET', '/metrics/slis')).body).toContain('kubernetes_healthcheck{');
  });

  it('say the same start of the process on /metrics/slis as the registry does, whenever the kubelet was put together', async () => {
    const { body } = await askRoutes(endpoints().readOnly(), 'GET', '/metrics/slis');
    expect(Number(/^process_start_time_seconds (\S+)$/m.exec(body)?.[1])).toBe(processStartSeconds());
  });
});

describe('the main endpoints', () => {
  const asked = (path: string, options: Partial<ServerConfig> = {}, method = 'GET'): Promise<Asked> =>
    askRoutes(endpoints({}, options).main(), method, path);

  it.each(disabledPaths)('says of %s that it is disabled when all are', async (path) => {
    const answer = await asked(path, { enableDebuggingHandlers: false });
    expect(answer).toMatchObject({ status: 405, body: 'Debug endpoints are disabled.\n' });
  });

  it.each(['/configz', '/flagz', '/statusz', '/debug/flags/v'])('has no %s then', async (path) => {
    expect(await asked(path, { enableDebuggingHandlers: false })).toMatchObject({ status: 404 });
  });

  it.each([['/debug/flags/v', { enableDebugFlagsHandler: false }, 'flags endpoint is disabled.\n']])(
    '%s with %j',
    async (path, options, body) => {
      expect(await asked(path, options)).toMatchObject({ status: 405, body });
    },
  );

  it.each([
    ['/exec/a/b/c', {}],
    ['/containerLogs/a/b/c', {}],
    ['/run/a/b/c', {}],
    ['/checkpoint/a/b/c', {}],
    ['/flagz', { flagz: false }],
    ['/statusz', { statusz: false }],
  ])('%s is not there without its part or gate', async (path, options) => {
    expect(await asked(path, options, 'POST')).toMatchObject({ status: 404, body: '404 page not found\n' });
  });

  it('tells the configuration', async () => {
    const { status, headers, body } = await asked('/configz', {}, 'POST');
    expect([status, headers]).toEqual([
      200,
      { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' },
    ]);
    expect(body).toBe(
      '{"kubeletconfig":{"kind":"KubeletConfiguration","apiVersion":"kubelet.config.k8s.io/v1beta1","maxPods":110}}',
    );
  });

  it('leaves out of it what Go leaves out', async () => {
    const configuration = {
      ...{ port: 10250, readOnlyPort: 0, healthzPort: 0, rotateCertificates: false, failSwapOn: false },
      ...{
        tlsCertFile: '',
        clusterDNS: [],
        featureGates: {},
        containerRuntimeEndpoint: '',
        resolvConf: '',
        shutdownGracePeriod: '0s',
      },
      authentication: { x509: { clientCAFile: '' }, anonymous: { enabled: false } },
    } as unknown as KubeletConfiguration;
    const routes = endpoints({ kubelet: { ...kubelet, configuration } }).main();
    const { body } = await askRoutes(routes, 'GET', '/configz');
    expect(JSON.parse(body)).toEqual({
      kubeletconfig: {
        ...{ kind: 'KubeletConfiguration', apiVersion: 'kubelet.config.k8s.io/v1beta1' },
        ...{ port: 10250, healthzPort: 0, failSwapOn: false },
        ...{ containerRuntimeEndpoint: '', resolvConf: '', shutdownGracePeriod: '0s' },
        authentication: { x509: {}, anonymous: { enabled: false } },
      },
    });
  });
});
