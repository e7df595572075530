import { describe, expect, it } from '@jest/globals';
import type { Answer } from '@podwright/http-answer';
import type { ServerRequest } from '@podwright/server-interface';
import { explainRoutes } from './explain-routes.js';
import { createHarness } from './fixtures/contract-harness.js';

async function nodePage(query: string): Promise<Answer> {
  const { explainer } = await createHarness();
  const route = explainRoutes(explainer).find(({ path }) => path === '/explain/node');
  const { signal } = new AbortController();
  return route?.handle({ query: new URLSearchParams(query), signal } as unknown as ServerRequest) as Promise<Answer>;
}

describe('/explain/node', () => {
  it.each(['output=text', 'output=text&node=node'])('answers %s with the page', async (query) => {
    expect(await nodePage(query)).toMatchObject({ status: 200, body: expect.stringMatching(/^Node node\b/) });
  });

  it('answers 404 to who asks for another node', async () => {
    expect(await nodePage('output=text&node=other')).toMatchObject({
      ...{ status: 404, body: expect.stringMatching(/^this is the kubelet of node node: ask that of other /) },
    });
  });

  it('refuses another output', async () => {
    const body = 'output must be json or text, not "yaml"\n';
    expect(await nodePage('output=yaml')).toMatchObject({ status: 400, body });
  });
});
