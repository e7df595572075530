/** One path of the main port and the permissions that it needs. */
export interface Endpoint {
  /** The path of the request; its pod does not exist. */
  readonly path: string;
  /** Subresources of nodes in the order of the checks; permission for any of them is enough. */
  readonly asks: readonly string[];
  /** The verb is `create` for every HTTP method, because the endpoint runs a command or connects into a pod. */
  readonly intoPods?: true;
  /** No endpoint: as upstream, every caller gets 404 before authentication. */
  readonly nowhere?: true;
  /** Status code for an authorized caller, by method; it may be 405. */
  readonly status: { readonly GET: number; readonly POST: number };
}

const proxy = ['proxy'];
const pod = 'default/absent';

/**
 * Every path of the main port, and paths that look similar. Written by hand, so that a change of the server's own table
 * does not change the expectations.
 */
export const endpoints: readonly Endpoint[] = [
  { path: '/healthz', asks: ['healthz', 'proxy'], status: { GET: 200, POST: 200 } },
  { path: '/healthz/ping', asks: ['healthz', 'proxy'], status: { GET: 200, POST: 200 } },
  { path: '/metrics', asks: ['metrics'], status: { GET: 200, POST: 200 } },
  { path: '/metrics/cadvisor', asks: ['metrics'], status: { GET: 200, POST: 200 } },
  { path: '/metrics/probes', asks: ['metrics'], status: { GET: 200, POST: 200 } },
  { path: '/metrics/resource', asks: ['metrics'], status: { GET: 200, POST: 200 } },
  { path: '/metrics/slis', asks: ['metrics'], status: { GET: 200, POST: 200 } },
  { path: '/stats/summary', asks: ['stats'], status: { GET: 200, POST: 200 } },
  { path: '/pods', asks: ['pods', 'proxy'], status: { GET: 200, POST: 405 } },
  { path: '/runningpods/', asks: ['pods', 'proxy'], status: { GET: 200, POST: 405 } },
  { path: '/configz', asks: ['configz', 'proxy'], status: { GET: 200, POST: 200 } },
  { path: '/flagz', asks: ['configz'], status: { GET: 200, POST: 200 } },
  { path: '/statusz', asks: ['statusz'], status: { GET: 200, POST: 200 } },
  { path: '/logs/', asks: ['log'], status: { GET: 200, POST: 405 } },
  { path: '/logs/absent.log', asks: ['log'], status: { GET: 404, POST: 405 } },
  { path: `/checkpoint/${pod}/main`, asks: ['checkpoint'], status: { GET: 405, POST: 404 } },
  { path: `/containerLogs/${pod}/main`, asks: proxy, status: { GET: 404, POST: 405 } },
  { path: `/exec/${pod}/main?command=id&output=1`, asks: proxy, intoPods: true, status: { GET: 404, POST: 404 } },
  { path: `/exec/${pod}/uid/main?command=id&output=1`, asks: proxy, intoPods: true, status: { GET: 404, POST: 404 } },
  { path: `/attach/${pod}/main?output=1`, asks: proxy, intoPods: true, status: { GET: 404, POST: 404 } },
  { path: `/attach/${pod}/uid/main?output=1`, asks: proxy, intoPods: true, status: { GET: 404, POST: 404 } },
  { path: `/portForward/${pod}?port=80`, asks: proxy, intoPods: true, status: { GET: 404, POST: 404 } },
  { path: `/portForward/${pod}/uid?port=80`, asks: proxy, intoPods: true, status: { GET: 404, POST: 404 } },
  { path: `/run/${pod}/main?cmd=id`, asks: proxy, intoPods: true, status: { GET: 405, POST: 404 } },
  { path: `/run/${pod}/uid/main?cmd=id`, asks: proxy, intoPods: true, status: { GET: 405, POST: 404 } },
  { path: '/debug/pprof/', asks: proxy, status: { GET: 200, POST: 405 } },
  { path: '/debug/pprof/cmdline', asks: proxy, status: { GET: 200, POST: 405 } },
  { path: '/debug/evictions/', asks: proxy, status: { GET: 200, POST: 405 } },
  // The simulated runtime's images are on no file system of this machine.
  { path: '/debug/evictions/dry-run', asks: proxy, status: { GET: 500, POST: 405 } },
  { path: `/explain/pods/${pod}`, asks: proxy, status: { GET: 404, POST: 405 } },
  { path: '/explain/node', asks: proxy, status: { GET: 200, POST: 405 } },
  { path: '/explain/schema', asks: proxy, status: { GET: 200, POST: 405 } },
  // With --flight-recorder alone.
  { path: '/recording?seconds=0', asks: proxy, status: { GET: 400, POST: 405 } },
  // With --console-address alone.
  { path: '/console', asks: proxy, status: { GET: 302, POST: 405 } },
  { path: '/console/assets/absent.js', asks: proxy, status: { GET: 404, POST: 405 } },
  { path: '/console/data/cgroups', asks: proxy, status: { GET: 200, POST: 405 } },
  { path: '/console/data/journal', asks: proxy, status: { GET: 200, POST: 405 } },
  { path: `/console/data/pods/${pod}`, asks: proxy, status: { GET: 404, POST: 405 } },
  { path: `/console/data/pods/${pod}/containers/main/logs`, asks: proxy, status: { GET: 404, POST: 405 } },
  { path: '/api/v1.3/machine', asks: proxy, status: { GET: 200, POST: 200 } },
  { path: '/api/v1.3/containers/', asks: proxy, status: { GET: 200, POST: 200 } },
  { path: '/api/v1.3/subcontainers/', asks: proxy, status: { GET: 200, POST: 200 } },
  { path: '/debug/imagepulls/', asks: proxy, status: { GET: 200, POST: 405 } },
  { path: '/debug/flags/v', asks: proxy, status: { GET: 406, POST: 406 } },
  { path: '/', asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
  { path: '/unknown', asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
  { path: '/metricsx', asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
  { path: '/Pods', asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
  { path: '/%70ods', asks: ['pods', 'proxy'], status: { GET: 200, POST: 405 } },
  { path: `/metrics%2F..%2Fexec/${pod}/main`, asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
];
