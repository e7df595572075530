import { describe, expect, it } from '@jest/globals';
import { describeContractProof } from '@podwright/contract';
import type { EvictionDecision } from '@podwright/eviction-interface';
import type { Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';
import { describeServerRoutesContract, type ServerRoutesHarness } from '@podwright/server-interface/contract';
import { evictionsRoutes } from './evictions-routes.js';

const decision = (dryRun: boolean): EvictionDecision => ({
  time: '2026-01-02T03:04:05.000Z',
  dryRun,
  signals: [],
  thresholds: [],
  conditions: [],
  reclaimed: [],
  rankings: [],
  evicted: [],
});

async function ask(name: string, failure?: Error): Promise<Answer | undefined> {
  const dryRun = async (): Promise<EvictionDecision> => {
    if (failure !== undefined) throw failure;
    return decision(true);
  };
  const [route] = evictionsRoutes({ decisions: () => [decision(false)], dryRun });
  expect(route).toMatchObject({ path: '/debug/evictions/{name...}', methods: ['GET'], debugging: true });
  return route?.handle({ parameters: { name }, signal: new AbortController().signal } as unknown as ServerRequest);
}

describe('/debug/evictions', () => {
  it.each<[string, unknown]>([
    ['', { decisions: [decision(false)] }],
    ['dry-run', decision(true)],
  ])('shows %j', async (name, expected) => {
    const answer = await ask(name);
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'application/json' } });
    expect(JSON.parse(String(answer?.body))).toEqual(expected);
  });

  it('has no other page, and says why there is no answer', async () => {
    expect(await ask('other')).toMatchObject({ status: 404, body: '404: Page Not Found' });
    expect(await ask('dry-run/more')).toMatchObject({ status: 404 });
    const failed = await ask('dry-run', new Error('no statistics'));
    expect(failed).toMatchObject({ status: 500, body: expect.stringContaining('no statistics') });
  });
});

const harness = (): ServerRoutesHarness => ({
  routes: evictionsRoutes({ decisions: () => [decision(false)], dryRun: async () => decision(true) }),
  pages: { '/debug/evictions/{name...}': { name: 'dry-run' } },
});
describeServerRoutesContract('those of eviction', harness);

const broken =
  (replaced: (good: ServerRoute) => Partial<ServerRoute>) =>
  ({ routes }: ServerRoutesHarness): Partial<ServerRoutesHarness> => ({
    routes: routes.map((route) => ({ ...route, ...replaced(route) })),
  });
describeContractProof('ServerRoutes', (create) => describeServerRoutesContract('broken routes', create), harness, {
  'have a path each, below a name that the metrics of requests can count': {
    'one path is there twice': ({ routes }) => ({ routes: [...routes, ...routes] }),
    'the metrics do not know them': broken(() => ({ metricPath: 'other' })),
  },
  'answer GET with a page of the type that they declare': {
    'they only take POST': broken(() => ({ methods: ['POST'] })),
    'they are text and declare JSON': broken(() => ({
      handle: () => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: '' }),
    })),
  },
  'change nothing: who asks again gets the same page': {
    'each request is counted in the page': broken(({ handle }) => {
      let count = 0;
      return { handle: async (request) => ({ ...(await handle(request)), body: `${count++}` }) };
    }),
  },
  'have no page for the rest of a path that they do not know': {
    'every path has the page': broken(({ handle }) => ({
      handle: (request) => handle({ ...request, parameters: { name: '' } }),
    })),
  },
  'change nothing for anyone: only pages are on the read-only port': {
    'one that acts is there': (good) => ({
      ...broken(() => ({ readOnlyPort: true }))(good),
      actions: good.routes.map(({ path }) => path),
    }),
    'the one that acts is not theirs': () => ({ actions: ['/debug/evict'] }),
  },
});
