import { createServer, type Server } from 'node:net';
import { afterEach } from '@jest/globals';
import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { KubeletServer, ServerRoute } from '@podwright/server-interface';
import { describeServerContract, type HttpAnswer } from '@podwright/server-interface/contract';
import { fronted, type Front, type ListenerName } from './fixtures/fronted.js';
import { createHttpHarness, type HttpHarness } from './fixtures/http-harness.js';

type Broken = (good: HttpHarness) => Partial<HttpHarness>;

// A case that fails may leave its servers open.
const running: HttpHarness[] = [];
const squatters: Server[] = [];
afterEach(async () => {
  for (const { server, rival } of running.splice(0)) await Promise.all([server.stop(), rival.stop()]);
  for (const squatter of squatters.splice(0)) squatter.close();
});
async function create(routes: readonly ServerRoute[]): Promise<HttpHarness> {
  const harness = await createHttpHarness({}, { routes });
  running.push(harness);
  return harness;
}

const broken = (replaced: (good: KubeletServer) => Partial<KubeletServer>): Broken => breaksIn('server', replaced);
/** One that answers otherwise what `concerns`, which is all by default. */
const answering = (
  name: ListenerName,
  changed: Partial<HttpAnswer>,
  concerns: (...request: Parameters<Front>) => boolean = () => true,
): Broken => fronted(name, async (request, ask) => ({ ...(await ask()), ...(concerns(request, ask) && changed) }));
const knows = (path: string): { readonly status: number; readonly body: string } => ({ status: 200, body: path });
/** One that takes some requests for those of the administrator. */
const trusting = (trusted: (request: Parameters<Front>[0]) => boolean): Broken =>
  fronted('https', (request, ask) =>
    ask(trusted(request) ? { ...request.headers, authorization: 'Bearer token-admin' } : undefined),
  );
const lacks = (name: ListenerName): Broken =>
  broken((good) => ({
    addresses: () => {
      const { [name]: _lost, ...addresses } = good.addresses();
      return addresses;
    },
  }));
/** One whose port is open after the stop. */
const staysOpen =
  (name: ListenerName): Broken =>
  ({ server }) => {
    const stop = async (): Promise<void> => {
      const port = Number(server.addresses()[name]?.split(':')[1]);
      await server.stop();
      if (Number.isNaN(port)) return;
      const squatter = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
      squatters.push(squatter);
      await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    };
    return { server: breaks(server, { stop }) };
  };

describeContractProof('KubeletServer', (make) => describeServerContract('a broken KubeletServer', make), create, {
  'has addresses while it runs': {
    'the main port has none': lacks('https'),
    'the healthz port has none': lacks('healthz'),
    'the read-only port has none': lacks('readOnly'),
    'a second stop is refused': refusesSecondStop('server'),
    'the addresses stay': broken((good) => {
      let addresses = {};
      return { addresses: () => (addresses = { ...addresses, ...good.addresses() }) };
    }),
    'the main port stays open': staysOpen('https'),
    'the healthz port stays open': staysOpen('healthz'),
    'the read-only port stays open': staysOpen('readOnly'),
  },
  'is alive on the healthz port whatever the sync loop does': {
    'the healthz port is not alive': answering('healthz', { status: 500 }),
    'the healthz port says something else': answering('healthz', { body: 'alive' }),
    'the read-only port is not alive': answering('readOnly', { status: 500 }),
    'the healthz port looks at the sync loop': broken((good) => ({
      addresses: () => {
        const { readOnly = '', ...addresses } = good.addresses();
        return { ...addresses, readOnly, healthz: readOnly };
      },
    })),
    'the read-only port does not look at the sync loop': () => ({ setHealth: () => undefined }),
    'the reason is told to anyone': fronted('readOnly', async (_request, ask) => {
      const answer = await ask();
      return { ...answer, body: answer.body.replace('reason withheld', 'sync Loop took longer than expected') };
    }),
  },
  'serves what other modules contribute, to anyone only what is meant for the read-only port': {
    'the read-only port serves all': fronted('readOnly', async ({ path }, ask) => ({
      ...(await ask()),
      ...knows(path),
    })),
    'the read-only port serves none': answering('readOnly', { status: 404, body: '' }),
    'the main port serves none': answering('https', { status: 404, body: '' }),
    'the main port serves another one': answering('https', { body: '/pods' }),
  },
  'asks everybody who he is before anything else on the main port': {
    'it shows anyone what a module contributes': trusting(({ path }) => path === '/checkpoint/n/p/c'),
    'it shows anyone what is its own': trusting(({ path, method }) => path === '/metrics' && method === 'GET'),
    'it lets everybody delete': trusting(({ method }) => method === 'DELETE'),
    'it says more than it should': answering('https', { body: 'Unauthorized: no token' }),
    'it takes any token': trusting(({ headers }) => headers['authorization'] !== undefined),
  },
  'lets those through who may, and tells others what they lack': {
    'the administrator may not': answering('https', { status: 403 }, ({ headers }) => isAdmin(headers)),
    'the visitor may not': answering('https', { status: 403 }, ({ path }) => path === '/metrics'),
    'the visitor may all': trusting(() => true),
    'it does not say what is lacking': answering('https', { body: 'Forbidden' }, ({ headers }) => !isAdmin(headers)),
  },
  'shows metrics': {
    'there are none': answering('readOnly', { status: 404 }),
    'they are of another type': answering('readOnly', { headers: { 'content-type': 'application/json' } }),
    'the page is empty': answering('readOnly', { body: '' }),
  },
  'has nothing to debug on the read-only port, and nothing but healthz on the other': {
    'it seems that it could': answering('readOnly', { status: 401 }, ({ method }) => method === 'POST'),
    'it does not say why': answering('readOnly', { body: '' }, ({ method }) => method === 'POST'),
    'what is unknown is there': answering('readOnly', { status: 200 }, ({ path }) => path === '/nothing'),
    'the healthz port has pods': answering('healthz', { status: 200 }),
  },
  'does not start on a port that is taken, and leaves nothing behind then': {
    'it seems to start': breaksIn('rival', () => ({ start: () => Promise.resolve() })),
    'it does not say why it cannot': breaksIn('rival', (good) => ({
      start: () => good.start().catch(() => Promise.reject(new Error('cannot listen'))),
    })),
    'it has an address': breaksIn('rival', () => ({ addresses: () => ({ healthz: '127.0.0.1:10248' }) })),
  },
});

function isAdmin({ authorization }: Readonly<Record<string, string>>): boolean {
  return authorization === 'Bearer token-admin';
}
