import { describe, expect, it } from '@jest/globals';
import type { EvictionDecision } from '@podwright/eviction-interface';
import { createMemoryLogger } from '@podwright/logging';
import { ask, type Asked } from '../fixtures/ask.js';
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

const evictions = (method: string, url: string, failure?: Error): Promise<Asked> => {
  const manager = {
    decisions: () => [decision(false)],
    dryRun: async () => {
      if (failure !== undefined) throw failure;
      return decision(true);
    },
  };
  return ask(evictionsRoutes(manager, createMemoryLogger()), method, url);
};

describe('/debug/evictions', () => {
  it.each<[string, unknown]>([
    ['/debug/evictions/', { decisions: [decision(false)] }],
    ['/debug/evictions/dry-run', decision(true)],
    ['/debug/evictions/dry-run/', decision(true)],
  ])('GET %s', async (url, expected) => {
    const { status, headers, body } = await evictions('GET', url);
    expect([status, headers['Content-Type'], JSON.parse(body)]).toEqual([200, 'application/json', expected]);
  });

  it.each([
    ['GET', '/debug/evictions', 307],
    ['POST', '/debug/evictions/', 405],
    ['DELETE', '/debug/evictions/dry-run', 405],
    ['GET', '/debug/evictions/other', 404],
    ['GET', '/debug/evictions/dry-run/more', 404],
    ['GET', '/debug/evictionsx', 404],
    ['GET', '/debug', 404],
  ])('%s %s: %i', async (method, url, status) => {
    expect((await evictions(method, url)).status).toBe(status);
  });

  it('says why there is no answer', async () => {
    const answer = await evictions('GET', '/debug/evictions/dry-run', new Error('no statistics'));
    expect(answer).toMatchObject({ status: 500, body: expect.stringContaining('no statistics') });
  });
});
