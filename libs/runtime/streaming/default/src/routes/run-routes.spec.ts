import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { RunRequest } from '@podwright/streaming-interface';
import { askRoutes, type Asked } from '@podwright/server-interface/contract';
import { podsByFullName } from '../fixtures/pods-by-full-name.js';
import { runRoutes } from './run-routes.js';

const pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { containers: [{ name: 'app' }] },
};

async function run(
  url: string,
  {
    method = 'POST',
    output = () => Buffer.from('out'),
  }: { readonly method?: string; readonly output?: () => Buffer } = {},
): Promise<{ readonly answer: Asked; readonly requests: readonly RunRequest[] }> {
  const requests: RunRequest[] = [];
  const streaming = {
    run: async (request: RunRequest) => {
      requests.push(request);
      return output();
    },
  };
  return { answer: await askRoutes(runRoutes({ pods: podsByFullName(pod), streaming }), method, url), requests };
}

describe('/run', () => {
  it.each([
    ['/run/shop/web/app?cmd=ls%20-l', 'u1', ['ls', '-l']],
    ['/run/shop/web/u9/app?cmd=ls++-l', 'u9', ['ls', '', '-l']],
    ['/run/shop/web/app', 'u1', ['']],
  ])('%s', async (url, podUid, command) => {
    const { answer, requests } = await run(url);
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'application/json' }, body: 'out' });
    expect(requests).toMatchObject([{ podUid, podName: 'web', podNamespace: 'shop', container: 'app', command }]);
  });

  it('answers nothing with nothing', async () => {
    const { answer } = await run('/run/shop/web/app?cmd=true', { output: () => Buffer.alloc(0) });
    expect([answer.status, answer.headers, answer.body]).toEqual([200, {}, '']);
  });

  it('says what went wrong', async () => {
    const output = (): never => {
      throw new KubeletError("command 'false' exited with 1", { code: 'internal' });
    };
    const { answer } = await run('/run/shop/web/app?cmd=false', { output });
    expect(answer).toMatchObject({ status: 500, body: "command 'false' exited with 1" });
    expect((await run('/run/shop/none/app?cmd=ls')).answer).toMatchObject({ status: 404, body: 'pod does not exist' });
    expect((await run('/run/shop/web/app?cmd=ls', { method: 'GET' })).answer.status).toBe(405);
  });
});
