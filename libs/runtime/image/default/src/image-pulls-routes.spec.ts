import { describe, expect, it } from '@jest/globals';
import type { PullInProgress } from '@podwright/image-interface';
import type { ServerRequest } from '@podwright/server-interface';
import { describeServerRoutesContract } from '@podwright/server-interface/contract';
import { imagePullsRoutes } from './image-pulls-routes.js';

const pull: PullInProgress = {
  image: 'registry.test/app:1',
  podNamespace: 'prod',
  podName: 'web',
  podUid: 'uid-1',
  state: 'queued',
  queuePlace: 2,
  waitedMs: 12_000,
  pulledMs: 0,
};
const routes = imagePullsRoutes({ pulls: () => [pull] });

describeServerRoutesContract('those of image pulls', () => ({
  routes,
  pages: { '/debug/imagepulls/{name...}': { name: '' } },
}));

describe('/debug/imagepulls', () => {
  it('shows the pulls', async () => {
    const answer = await routes[0]?.handle({ parameters: { name: '' } } as unknown as ServerRequest);
    expect(answer?.headers['Content-Type']).toBe('application/json');
    expect(JSON.parse(String(answer?.body))).toEqual({ pulls: [pull] });
    expect(routes[0]).toMatchObject({ methods: ['GET'], debugging: true });
  });
});
