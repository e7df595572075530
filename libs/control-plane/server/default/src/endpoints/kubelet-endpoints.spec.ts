import { describe, expect, it } from '@jest/globals';
import { decodeOptions } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import { createMetricsRegistry } from '@podwright/metrics';
import type { KubeletProcess } from '@podwright/server-interface';
import { ask, type Asked } from '../fixtures/ask.js';
import { endpointsDeps } from '../fixtures/endpoints-deps.js';
import { serverConfig, type ServerConfig } from '../server-config.js';
import type { EndpointsDeps } from './endpoints-deps.js';
import { createKubeletEndpoints, type KubeletEndpoints } from './kubelet-endpoints.js';

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

function endpoints(deps: Partial<EndpointsDeps> = {}, options: Partial<ServerConfig> = {}): KubeletEndpoints {
  const config = decodeOptions('server', serverConfig, options);
  return createKubeletEndpoints({ ...endpointsDeps(), kubelet, ...deps }, config);
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
    ['GET', '/pods', 200, '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}'],
    ['HEAD', '/pods', 405, '405: Method Not Allowed'],
    ['POST', '/pods', 405, '405: Method Not Allowed'],
    ['GET', '/pods/more', 404, '404: Page Not Found'],
    ['GET', '/healthz/other', 404, '404 page not found\n'],
    ['GET', '/podsx', 404, '404 page not found\n'],
    ['GET', '/', 404, '404 page not found\n'],
    ['GET', '/stats/summary', 404, '404 page not found\n'],
    ...['/configz', '/flagz', '/statusz', '/debug/flags/v', '/checkpoint/a/b/c'].map(
      (path) => ['GET', path, 404, '404 page not found\n'] as const,
    ),
    ...disabledPaths.map((path) => ['GET', path, 405, 'Debug endpoints are disabled.\n'] as const),
  ] as const)('%s %s: %i', async (method, path, status, body) => {
    expect(await ask(endpoints().readOnly(), method, path)).toMatchObject({ status, body });
  });

  it('tells of device plugins when something serves them', async () => {
    const reason =
      'device registration error: device plugin registration gRPC server failed and no device plugins can register: gone';
    const routes = endpoints({ devices: { healthy: () => ({ ok: false, reason }) } }).readOnly();
    expect(await ask(routes, 'GET', '/healthz/device-plugin')).toMatchObject({
      status: 500,
      body: `internal server error: ${reason}\n`,
    });
    expect(await ask(routes, 'GET', '/healthz')).toMatchObject({ status: 500 });
  });

  it('has the metrics of the parts that are there', async () => {
    const pages = { metrics: metricsOf('a'), probeMetrics: metricsOf('b'), cadvisorMetrics: metricsOf('c') };
    const routes = endpoints(pages).readOnly();
    const values = async (path: string): Promise<string> => (await ask(routes, 'POST', path)).body;
    expect(await values('/metrics')).toContain('\na 1\n');
    expect(await values('/metrics/probes')).toContain('\nb 1\n');
    expect(await values('/metrics/cadvisor')).toContain('\nc 1\n');
    expect(await ask(routes, 'GET', '/metrics/resource')).toMatchObject({ status: 404 });
  });

  it('shows static pods with the status of the kubelet, others as the API server has them', async () => {
    const pod = (uid: string, source: string, phase?: string): Pod => ({
      metadata: { name: uid, uid, annotations: { 'kubernetes.io/config.source': source } },
      spec: { containers: [] },
      ...(phase !== undefined && { status: { phase } }),
    });
    const pods = [pod('own', 'file', 'Pending'), pod('new', 'http'), pod('api', 'api', 'Pending')];
    const statuses = (uid: string): { readonly phase: string } | undefined =>
      uid === 'new' ? undefined : { phase: 'Running' };
    const routes = endpoints(endpointsDeps({ pods: () => pods, statuses })).readOnly();
    const { headers, body } = await ask(routes, 'GET', '/pods');
    expect(headers['Content-Type']).toBe('application/json');
    const { items } = JSON.parse(body) as { items: readonly Pod[] };
    expect(items.map(({ status }) => status?.phase)).toEqual(['Running', undefined, 'Pending']);
    expect(Object.keys(items[1] ?? {})).toEqual(['metadata', 'spec']);
  });

  it('does not let anybody reset what is measured', async () => {
    const routes = endpoints().readOnly();
    await ask(routes, 'GET', '/healthz');
    await ask(routes, 'DELETE', '/metrics/slis');
    expect((await ask(routes, 'GET', '/metrics/slis')).body).toContain('kubernetes_healthcheck{');
  });
});

describe('the main endpoints', () => {
  const asked = (path: string, options: Partial<ServerConfig> = {}, method = 'GET'): Promise<Asked> =>
    ask(endpoints({}, options).main(), method, path);

  it.each(disabledPaths)('says of %s that it is disabled when all are', async (path) => {
    const answer = await asked(path, { enableDebuggingHandlers: false });
    expect(answer).toMatchObject({ status: 405, body: 'Debug endpoints are disabled.\n' });
  });

  it.each(['/configz', '/flagz', '/statusz', '/debug/flags/v'])('has no %s then', async (path) => {
    expect(await asked(path, { enableDebuggingHandlers: false })).toMatchObject({ status: 404 });
  });

  it.each([
    ['/logs/', { enableSystemLogHandler: false }, 'logs endpoint is disabled.\n'],
    ['/debug/pprof/', { enableProfilingHandler: false }, 'profiling endpoint is disabled.\n'],
    ['/debug/flags/v', { enableDebugFlagsHandler: false }, 'flags endpoint is disabled.\n'],
  ])('%s with %j', async (path, options, body) => {
    expect(await asked(path, options)).toMatchObject({ status: 405, body });
  });

  it.each([
    ['/exec/a/b/c', {}],
    ['/containerLogs/a/b/c', {}],
    ['/run/a/b/c', {}],
    ['/flagz', { flagz: false }],
    ['/statusz', { statusz: false }],
    ['/checkpoint/a/b/c', { containerCheckpoint: false }],
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
      ...{ tlsCertFile: '', clusterDNS: [], featureGates: {}, containerRuntimeEndpoint: '', shutdownGracePeriod: '0s' },
      authentication: { x509: { clientCAFile: '' }, anonymous: { enabled: false } },
    } as unknown as KubeletConfiguration;
    const routes = endpoints({ kubelet: { ...kubelet, configuration } }).main();
    const { body } = await ask(routes, 'GET', '/configz');
    expect(JSON.parse(body)).toEqual({
      kubeletconfig: {
        ...{ kind: 'KubeletConfiguration', apiVersion: 'kubelet.config.k8s.io/v1beta1' },
        ...{ port: 10250, healthzPort: 0, failSwapOn: false },
        ...{ containerRuntimeEndpoint: '', shutdownGracePeriod: '0s' },
        authentication: { x509: {}, anonymous: { enabled: false } },
      },
    });
  });
});
