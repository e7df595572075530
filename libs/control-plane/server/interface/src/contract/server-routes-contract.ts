import { describe, expect, it } from '@podwright/contract';
import type { ServerRequest } from '../route.js';
import type { ServerRoute } from '../server-routes.js';
import { readAnswer, type Asked } from './ask-routes.js';

export interface ServerRoutesHarness {
  /** The routes that the module contributes. */
  readonly routes: readonly ServerRoute[];
  /** By path of a route: parameters for which it answers with a page. */
  readonly pages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Paths of routes that do something instead of showing a page. Default: none. */
  readonly actions?: readonly string[];
}

async function ask(route: ServerRoute, parameters: Readonly<Record<string, string>>): Promise<Asked> {
  const path = route.path.replaceAll(/\{(\w+)(\.\.\.)?\}/g, (_, name: string) => parameters[name] ?? '');
  const request: ServerRequest = {
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers: {},
    parameters,
    user: { name: 'reader' } as ServerRequest['user'],
    signal: new AbortController().signal,
    body: async () => Buffer.from(''),
  };
  return readAnswer(await route.handle(request));
}

const pagesOf = ({ routes, actions = [] }: ServerRoutesHarness): readonly ServerRoute[] =>
  routes.filter(({ path }) => !actions.includes(path));

/** The routes that a module contributes pass this suite. */
export function describeServerRoutesContract(title: string, create: () => ServerRoutesHarness): void {
  describe(`${title} as ServerRoutes`, () => {
    it('have a path each, below a name that the metrics of requests can count', () => {
      const { routes } = create();
      const paths = routes.map(({ path }) => path);
      expect(paths).toEqual([...new Set(paths)]);
      for (const { path, metricPath } of routes) {
        expect(path).toMatch(/^\/\w/);
        expect(metricPath).toBe(path.split('/')[1]);
      }
    });

    it('answer GET with a page of the type that they declare', async () => {
      const harness = create();
      for (const route of pagesOf(harness)) {
        expect(route.methods === 'any' || route.methods.includes('GET')).toBe(true);
        const { status, headers } = await ask(route, harness.pages[route.path] ?? {});
        expect(status).toBe(200);
        const type = headers['Content-Type']?.split(';')[0];
        expect(type).toMatch(/^[a-z]+\/[a-z.+-]+$/);
        if (route.produces !== undefined && route.produces.length > 0) expect(route.produces).toContain(type);
      }
    });

    it('change nothing: who asks again gets the same page', async () => {
      const harness = create();
      for (const route of pagesOf(harness)) {
        const parameters = harness.pages[route.path] ?? {};
        const [first, second] = [await ask(route, parameters), await ask(route, parameters)];
        expect(second).toEqual(first);
      }
    });

    it('have no page for the rest of a path that they do not know', async () => {
      for (const route of pagesOf(create())) {
        const rest = /\{(\w+)\.\.\.\}$/.exec(route.path)?.[1];
        if (rest !== undefined) expect((await ask(route, { [rest]: 'no/such/page' })).status).toBe(404);
      }
    });

    it('change nothing for anyone: only pages are on the read-only port', () => {
      const { routes, actions = [] } = create();
      const paths = routes.map(({ path }) => path);
      for (const action of actions) expect(paths).toContain(action);
      for (const { path, readOnlyPort = false } of routes) {
        expect([path, readOnlyPort && actions.includes(path)]).toEqual([path, false]);
      }
    });
  });
}
