import { describe, expect, it } from '@jest/globals';
import { describeServerRoutesContract } from '@podwright/server-interface/contract';
import { podsByFullName } from '../fixtures/pods-by-full-name.js';
import { createStreamingRoutes } from './streaming-routes.module.js';

const streaming = { prepare: async () => undefined, serve: async () => undefined, run: async () => Buffer.from('out') };
const pods = podsByFullName();
const routes = createStreamingRoutes({ pods, streaming });

describeServerRoutesContract('those of streaming', () => ({
  routes,
  pages: {},
  actions: routes.map(({ path }) => path),
}));

describe('the routes of streaming', () => {
  it('are absent with streaming, and there for debugging alone', () => {
    expect(createStreamingRoutes({ pods })).toEqual([]);
    expect(routes.every(({ debugging }) => debugging)).toBe(true);
  });
});
