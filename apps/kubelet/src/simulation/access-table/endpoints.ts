/** One path of the main port, and what somebody must be allowed to get an answer from it. */
export interface Endpoint {
  /** As it is asked for; the pod does not exist. */
  readonly path: string;
  /** Subresources of nodes, any of which is enough, in the order in which they are asked for. */
  readonly asks: readonly string[];
  /** Counts as `create` whatever the HTTP method: it runs something, or reaches into a pod. */
  readonly intoPods?: true;
  /** Nothing is served there: everybody gets a 404 before anybody asks who he is, as upstream has it. */
  readonly nowhere?: true;
  /** Status of the answer to who may ask, by method; 405 is one too. */
  readonly status: { readonly GET: number; readonly POST: number };
}

const proxy = ['proxy'];
const pod = 'default/absent';

/**
 * Every path of the main port, and paths that look like one and are another. Written by hand, so that a
 * change of the server's own table does not change what is expected of it.
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
  // The images of the simulated runtime are on no file system of this machine.
  { path: '/debug/evictions/dry-run', asks: proxy, status: { GET: 500, POST: 405 } },
  { path: '/debug/imagepulls/', asks: proxy, status: { GET: 200, POST: 405 } },
  { path: '/debug/flags/v', asks: proxy, status: { GET: 406, POST: 406 } },
  { path: '/', asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
  { path: '/unknown', asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
  { path: '/metricsx', asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
  { path: '/Pods', asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
  { path: '/%70ods', asks: ['pods', 'proxy'], status: { GET: 200, POST: 405 } },
  { path: `/metrics%2F..%2Fexec/${pod}/main`, asks: [], nowhere: true, status: { GET: 404, POST: 404 } },
];
