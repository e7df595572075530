import { describe, expect, it } from '@jest/globals';
import type { PullUnderWay } from '@podwright/image-interface';
import { ask } from '../fixtures/ask.js';
import { imagePullsRoutes } from './image-pulls-routes.js';

const pull: PullUnderWay = {
  image: 'registry.test/app:1',
  podNamespace: 'prod',
  podName: 'web',
  podUid: 'uid-1',
  state: 'queued',
  queuePlace: 2,
  waitedMs: 12_000,
  pulledMs: 0,
};

describe('/debug/imagepulls', () => {
  it('shows the pulls', async () => {
    const { status, headers, body } = await ask(imagePullsRoutes({ pulls: () => [pull] }), 'GET', '/debug/imagepulls/');
    expect([status, headers['Content-Type'], JSON.parse(body)]).toEqual([200, 'application/json', { pulls: [pull] }]);
  });

  it.each([
    ['GET', '/debug/imagepulls', 307],
    ['POST', '/debug/imagepulls/', 405],
    ['GET', '/debug/imagepulls/other', 404],
  ])('%s %s: %i', async (method, url, status) => {
    expect((await ask(imagePullsRoutes({ pulls: () => [] }), method, url)).status).toBe(status);
  });
});
