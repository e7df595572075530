import { attack } from '../attack.js';
import { exchange, spdy, webSocket, type ApiCall } from '../api-exchange.js';
import { victim, type AttackTarget, type Caller } from '../attack-target.js';
import { listeningPorts } from '../listening-ports.js';

/** A request and the status of its answer. */
interface Answered {
  readonly request: string;
  readonly status: number;
}

const run = (what: string): string => `/run/default/${victim}/main?cmd=${what}`;
const exec = `/exec/default/${victim}/main?command=id&output=1`;
const streams: readonly ApiCall[] = ['GET', 'POST'].flatMap((method) =>
  [webSocket, spdy].flatMap((headers) =>
    [exec, `/attach/default/${victim}/main?output=1`, `/portForward/default/${victim}?ports=80`].map((path) => ({
      method,
      path,
      headers,
    })),
  ),
);

const nameOf = ({ method = 'GET', path, headers = [] }: ApiCall): string =>
  `${method} ${path}${headers === webSocket ? ' (WebSocket)' : headers === spdy ? ' (SPDY)' : ''}`;

async function askAll(
  target: AttackTarget,
  calls: readonly ApiCall[],
  caller: Caller,
  path?: (each: string) => string,
): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const call of calls) {
    const sent = path === undefined ? call : { ...call, path: path(call.path) };
    answers.push({ request: nameOf(sent), status: (await target.call(sent, caller)).status });
  }
  return answers;
}

const pages = [
  ...['/pods', '/runningpods/', '/configz', '/metrics', '/metrics/cadvisor', '/metrics/probes', '/metrics/resource'],
  ...['/stats/summary', '/logs/', '/logs/?query=kubelet', '/debug/pprof/', '/debug/pprof/heap', '/statusz'],
  ...['/flagz', '/healthz', '/healthz/syncloop', `/containerLogs/default/${victim}/main`],
];
const everything: readonly ApiCall[] = [
  ...pages.map((path) => ({ path })),
  { method: 'PUT', path: '/debug/flags/v', body: '0' },
  { method: 'POST', path: `/checkpoint/default/${victim}/main` },
  { method: 'POST', path: run('id') },
  ...streams,
];

export const withoutCredentials = attack<{ readonly proof: number; readonly answers: readonly Answered[] }>({
  name: 'no-credentials',
  tries: 'every endpoint of the main port without credentials: pages, checkpoint, run, exec, attach, port-forward',
  mustNot: 'any of them answers',
  pastFault: 'CVE-2025-0426, kubelets that let everybody in',
  quick: true,
  attempt: async (target) => ({
    proof: (await target.call({ path: '/pods' }, 'operator')).status,
    answers: await askAll(target, everything, 'nobody'),
  }),
  harms: ({ proof, answers }) => [
    ...(proof === 200 ? [] : [`the operator gets ${proof}, so the refusals prove nothing`]),
    ...answers.filter(({ status }) => status !== 401).map(({ request, status }) => `${request}: ${status}`),
  ],
  weak: [
    { proof: 200, answers: [{ request: 'GET /pods', status: 200 }] },
    { proof: 200, answers: [{ request: `POST /checkpoint/default/${victim}/main`, status: 500 }] },
    { proof: 401, answers: [] },
  ],
});

export const readersThatRun = attack<{ readonly proof: number; readonly answers: readonly Answered[] }>({
  name: 'exec-by-get',
  tries: 'exec, attach, run and port-forward by GET, POST and WebSocket, by a user who may only `get` nodes/proxy',
  mustNot: 'a session opens or a command runs',
  pastFault: 'exec with `get` on nodes/proxy, which upstream keeps',
  quick: true,
  attempt: async (target) => {
    const runs = ['GET', 'POST'].map((method) => ({ method, path: run('id') }));
    return {
      proof: (await target.call({ path: '/configz' }, 'proxy-reader')).status,
      answers: await askAll(target, [...streams, ...runs], 'proxy-reader'),
    };
  },
  harms: ({ proof, answers }) => [
    ...(proof === 200 ? [] : [`the reader gets ${proof} for what it may read, so the refusals prove nothing`]),
    ...answers.filter(({ status }) => status < 400).map(({ request, status }) => `${request}: ${status}`),
  ],
  weak: [
    { proof: 200, answers: [{ request: `GET ${exec} (WebSocket)`, status: 101 }] },
    { proof: 200, answers: [{ request: `POST ${run('id')}`, status: 200 }] },
    { proof: 403, answers: [] },
  ],
});

interface Confusion {
  readonly proof: number;
  readonly answers: readonly (Answered & { readonly body: string })[];
}

const confusions: readonly ApiCall[] = [
  ...['/metrics/../pods', '/metrics/..%2fpods', '/metrics/%2e%2e/pods', '/metrics/%2e%2e%2fpods', '/metrics//../pods'],
  ...['//pods', '/./pods', '/metrics/..;/pods', '/metrics%2f..%2fpods', '/metrics\\..\\pods', '/PODS', '/pods%00'],
  ...[
    '/metrics?/../pods',
    '/metrics#/../pods',
    'http://node/pods',
    'https://node/metrics/../pods',
    '/pods/',
    '/pods;/metrics',
  ],
  ...[`/metrics/../run/default/${victim}/main?cmd=id`, `/metrics/%2e%2e/containerLogs/default/${victim}/main`],
].map((path) => ({ path }));

const verbs: readonly ApiCall[] = [
  ...['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'GETT'].map((method) => ({
    method,
    path: '/pods',
  })),
  { path: '/pods', headers: ['X-HTTP-Method-Override: POST', 'X-Original-URL: /metrics', 'X-Rewrite-URL: /metrics'] },
  { path: '/pods', headers: ['X-Forwarded-User: admin', 'X-Remote-User: admin', 'X-Remote-Group: system:masters'] },
  { path: '/pods', headers: ['Impersonate-User: admin', 'Impersonate-Group: system:masters'] },
  { method: 'POST', path: run('id'), headers: ['Impersonate-User: admin', 'Impersonate-Group: system:masters'] },
  { path: '/pods', headers: ['Authorization: Basic YWRtaW46YWRtaW4='] },
];

/** What only the list of pods, a command's output or a log page contains. */
const leaks = /"kind":\s*"PodList"|uid=0|"metadata":\s*\{/;

export const confusedPaths = attack<Confusion>({
  name: 'path-and-verb-confusion',
  tries:
    'paths that decode, fold or join to another page, odd methods, method-override and identity headers, by a user who may only read metrics',
  mustNot: 'a page other than metrics answers, or the answer redirects there',
  pastFault: 'CVE-2020-8559, path confusions of proxies',
  quick: true,
  attempt: async (target) => {
    const answers: Confusion['answers'][number][] = [];
    for (const call of [...confusions, ...verbs]) {
      const { status, head, body } = await target.call(call, 'metrics-reader');
      answers.push({ request: nameOf(call), status, body: /^location:/im.test(head) ? `${head}\n${body}` : body });
    }
    return { proof: (await target.call({ path: '/metrics' }, 'metrics-reader')).status, answers };
  },
  harms: ({ proof, answers }) => [
    ...(proof === 200 ? [] : [`the reader gets ${proof} for /metrics, so the refusals prove nothing`]),
    ...answers
      .filter(({ status, body }) => leaks.test(body) || (status === 200 && !body.includes('# TYPE') && body !== ''))
      .map(({ request, status }) => `${request}: ${status}, with what the reader may not see`),
    ...answers.filter(({ status }) => status === 101).map(({ request }) => `${request} opened a stream`),
  ],
  weak: [
    { proof: 200, answers: [{ request: 'GET //pods', status: 200, body: '{"kind": "PodList"}' }] },
    { proof: 200, answers: [{ request: 'POST /run', status: 500, body: 'uid=0(root)' }] },
    { proof: 200, answers: [{ request: 'GET /logs', status: 200, body: '<pre>' }] },
    { proof: 200, answers: [{ request: 'GET /exec', status: 101, body: '' }] },
    { proof: 401, answers: [] },
  ],
});

interface OpenPorts {
  readonly main: number;
  readonly ports: readonly { readonly address: string; readonly port: number }[];
  /** Answers of the health port to what it should not know. */
  readonly health: readonly Answered[];
}

const isLoopback = (address: string): boolean => /^127\.|^::1$|^::ffff:127\./.test(address);

export const openPorts = attack<OpenPorts>({
  name: 'open-ports',
  tries: 'the ports that the kubelet listens on, and profiles, logs, metrics and pods on its health port',
  mustNot:
    'a port besides the main one is reachable from outside, or the health port says more than whether it is well',
  pastFault: 'CVE-2019-11248, CVE-2020-8558, the read-only port 10255',
  attempt: async (target) => {
    const asked = [
      '/debug/pprof/',
      '/debug/pprof/goroutine?debug=1',
      '/metrics',
      '/pods',
      '/logs/',
      '/configz',
      '/run/',
    ];
    const health: Answered[] = [];
    for (const path of ['/healthz', ...asked]) {
      const { status } = await exchange({ host: '127.0.0.1', port: target.healthzPort, plain: true }, { path });
      health.push({ request: `GET ${path}`, status });
    }
    return {
      main: Number(new URL(target.node.kubelet.kubelet.url).port),
      ports: await listeningPorts(target.pid),
      health,
    };
  },
  harms: ({ main, ports, health }) => [
    ...(ports.some(({ port }) => port === main) ? [] : ['the main port was not found, so the list proves nothing']),
    ...(health.some(({ request, status }) => request === 'GET /healthz' && status === 200)
      ? []
      : ['the health port does not answer, so its refusals prove nothing']),
    ...ports
      .filter(({ address, port }) => port !== main && !isLoopback(address))
      .map(({ address, port }) => `it listens on ${address}:${port}`),
    ...health
      .filter(({ request, status }) => request !== 'GET /healthz' && status === 200)
      .map(({ request }) => `the health port answers ${request}`),
  ],
  weak: [
    {
      main: 1,
      ports: [
        { address: '0.0.0.0', port: 1 },
        { address: '0.0.0.0', port: 10255 },
      ],
      health: [{ request: 'GET /healthz', status: 200 }],
    },
    {
      main: 1,
      ports: [{ address: '0.0.0.0', port: 1 }],
      health: [
        { request: 'GET /healthz', status: 200 },
        { request: 'GET /debug/pprof/', status: 200 },
      ],
    },
    { main: 1, ports: [], health: [] },
  ],
});
