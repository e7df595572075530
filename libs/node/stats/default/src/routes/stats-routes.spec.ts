import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import type { Summary, SummaryOptions } from '@podwright/stats-interface';
import {
  askRoutes,
  describeServerRoutesContract,
  type Asked,
  type AskOptions,
} from '@podwright/server-interface/contract';
import { createStatsRoutes } from './stats-routes.module.js';
import { statsRoutes } from './stats-routes.js';

const summary: Summary = { node: { nodeName: 'n', startTime: '2026-01-02T03:04:05Z' }, pods: [] };

async function stats(
  method: string,
  url: string,
  options: AskOptions = {},
  failure?: Error,
): Promise<{ readonly answer: Asked; readonly asked: readonly SummaryOptions[] }> {
  const asked: SummaryOptions[] = [];
  const provider = {
    summary: async (wanted: SummaryOptions = {}) => {
      asked.push(wanted);
      if (failure !== undefined) throw failure;
      return summary;
    },
  };
  return { answer: await askRoutes(statsRoutes(provider, createMemoryLogger()), method, url, options), asked };
}

describe('/stats/summary', () => {
  it('is laid out by one space, as upstream prints it', async () => {
    const { answer } = await stats('GET', '/stats/summary');
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'application/json' } });
    expect(answer.body).toBe(
      '{\n "node": {\n  "nodeName": "n",\n  "startTime": "2026-01-02T03:04:05Z"\n },\n "pods": []\n}',
    );
  });

  it('shows a pod without containers as Go does', async () => {
    const pod = { podRef: { name: 'p', namespace: 'n', uid: 'u' }, startTime: '2026-01-02T03:04:05Z', containers: [] };
    const provider = { summary: async () => ({ ...summary, pods: [pod] }) };
    const { body } = await askRoutes(statsRoutes(provider, createMemoryLogger()), 'GET', '/stats/summary');
    expect(JSON.parse(body)).toMatchObject({ pods: [{ ...pod, containers: null }] });
  });

  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  it.each<[string, string, AskOptions, boolean]>([
    ['GET', '/stats/summary', {}, false],
    ['GET', '/stats/summary?only_cpu_and_memory=true', {}, true],
    ['GET', '/stats/summary/?only_cpu_and_memory=true', {}, true],
    ['GET', '/stats/summary?only_cpu_and_memory=1', {}, false],
    ['GET', '/stats/summary?only_cpu_and_memory=true&only_cpu_and_memory=true', {}, false],
    ['POST', '/stats/summary?only_cpu_and_memory=true', {}, true],
    ['POST', '/stats/summary', { headers: form, body: 'only_cpu_and_memory=true' }, true],
    ['POST', '/stats/summary?only_cpu_and_memory=true', { headers: form, body: 'only_cpu_and_memory=true' }, false],
    ['POST', '/stats/summary', { body: 'only_cpu_and_memory=true' }, false],
    ['GET', '/stats/summary', { headers: form, body: 'only_cpu_and_memory=true' }, false],
  ])('%s %s %j: only cpu and memory %p', async (method, url, options, onlyCpuAndMemory) => {
    const { answer, asked } = await stats(method, url, options);
    expect(answer.status).toBe(200);
    // Never anew for whoever asks here.
    expect(asked).toEqual([{ onlyCpuAndMemory, signal: expect.any(AbortSignal) }]);
  });

  it.each([
    ['GET', '/stats/', 404, '404: Page Not Found'],
    ['GET', '/stats/container', 404, '404: Page Not Found'],
    ['PUT', '/stats/summary', 405, '405: Method Not Allowed'],
  ])('%s %s: %i', async (method, url, status, body) => {
    expect((await stats(method, url)).answer).toMatchObject({ status, body });
  });

  it('has nothing but JSON', async () => {
    const { answer } = await stats('GET', '/stats/summary', { headers: { accept: 'text/html' } });
    expect(answer).toMatchObject({
      status: 406,
      body: '406: Not Acceptable\n\nAvailable representations: application/json',
    });
  });

  it('says what went wrong', async () => {
    const { answer } = await stats('GET', '/stats/summary', {}, new Error('failed to get node info'));
    expect(answer).toMatchObject({ status: 500, body: 'Internal Error: failed to get node info' });
  });

  it('is absent with the provider, and on the read-only port too', () => {
    const logger = createMemoryLogger();
    expect(createStatsRoutes({ logger })).toEqual([]);
    const [route] = createStatsRoutes({ logger, stats: { summary: async () => summary } });
    expect([route?.debugging, route?.readOnlyPort]).toEqual([undefined, true]);
  });
});

describeServerRoutesContract('those of stats', () => ({
  routes: statsRoutes({ summary: async () => summary }, createMemoryLogger()),
  pages: {},
}));
