import { describe, expect, it } from '@podwright/contract';
import { KubeletError, type ErrorCode } from '@podwright/errors';
import type { KubeClient, RequestBudget } from '../kube-client.js';
import type { KubeTransport } from '../kube-transport.js';
import { leases, pods } from '../resource-type.js';
import { failure } from './kube-client-contract.js';
import { ScriptedTransport, type ScriptedAnswer, type ScriptedHandler } from './scripted-transport.js';

/** A started client on the given transport, with room for 100 requests at once and 50 a second in each budget. */
export interface KubeClientFailureHarness {
  readonly kubeClient: KubeClient;
  advance(ms: number): Promise<void>;
  pendingTimers(): number;
}

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'ns', name: 'a' } };
const target = { namespace: 'ns', name: 'a' };
const status = (code: number, reason: string, message: string): object => ({
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message,
});

/** How a client handles a server that misbehaves; `create` gives a new client per case. */
export function describeKubeClientFailureContract(
  name: string,
  create: (transport: KubeTransport) => Promise<KubeClientFailureHarness>,
): void {
  const withAnswers = async (
    answer: ScriptedHandler,
  ): Promise<KubeClientFailureHarness & { transport: ScriptedTransport }> => {
    const transport = new ScriptedTransport(answer);
    return { ...(await create(transport)), transport };
  };

  describe(`${name} as a KubeClient of a server in trouble`, () => {
    it.each<[number, string, ErrorCode]>([
      [400, 'BadRequest', 'invalid-argument'],
      [401, 'Unauthorized', 'unauthenticated'],
      [403, 'Forbidden', 'permission-denied'],
      [404, 'NotFound', 'not-found'],
      [409, 'AlreadyExists', 'already-exists'],
      [409, 'Conflict', 'aborted'],
      [410, 'Expired', 'out-of-range'],
      [422, 'Invalid', 'invalid-argument'],
      [429, 'TooManyRequests', 'resource-exhausted'],
      [500, 'InternalError', 'internal'],
      [502, 'BadGateway', 'unavailable'],
      [503, 'ServiceUnavailable', 'unavailable'],
      [504, 'Timeout', 'deadline-exceeded'],
    ])('gives %i %s the code %s and the message of the server', async (code, reason, errorCode) => {
      const { kubeClient } = await withAnswers(() => ({
        status: code,
        body: status(code, reason, 'what the server says'),
      }));
      const error = await failure(kubeClient.get(pods, target));
      expect(error).toMatchObject({ name: 'KubeApiError', code: errorCode, httpStatus: code, reason });
      expect(error.message).toBe('what the server says');
    });

    it.each<[string, ScriptedAnswer, Partial<Record<'code' | 'message', unknown>>]>([
      ['no JSON', { body: '<html>' }, { code: 'data-loss' }],
      ['cut short', { body: '{"kind":"Pod","metadata":{"na' }, { code: 'data-loss' }],
      ['nothing', { body: '' }, { code: 'data-loss' }],
      ['a list', { body: '[]' }, { code: 'data-loss' }],
      ['another kind', { body: { ...pod, kind: 'Secret' } }, { code: 'data-loss' }],
      ['no name', { body: { ...pod, metadata: {} } }, { code: 'data-loss' }],
      ['a failure with status 200', { body: status(404, 'NotFound', 'm') }, { code: 'not-found', message: 'm' }],
      [
        'text with status 404',
        { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' },
        { code: 'not-found', message: 'the server could not find the requested resource (get pods a)' },
      ],
      [
        'HTML with status 502',
        { status: 502, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>bad gateway</html>' },
        {
          code: 'unavailable',
          message:
            'an error on the server ("<html>bad gateway</html>") has prevented the request from succeeding (get pods a)',
        },
      ],
      [
        'another object with status 500',
        { status: 500, body: { kind: 'Foo' } },
        {
          code: 'internal',
          message: 'an error on the server ("unknown") has prevented the request from succeeding (get pods a)',
        },
      ],
    ])('says clearly what is wrong with an answer: %s', async (_name, answer, error) => {
      const { kubeClient } = await withAnswers(() => answer);
      expect(await failure(kubeClient.get(pods, target))).toMatchObject({ name: 'KubeApiError', ...error });
    });

    it.each<[string, object]>([
      ['of another kind', { apiVersion: 'v1', kind: 'SecretList', metadata: { resourceVersion: '1' }, items: [] }],
      ['of something else', { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: 'x' }],
      ['of nothing', { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [null] }],
      ['without names', { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [{ metadata: {} }] }],
    ])('does not take a list %s', async (_name, body) => {
      const { kubeClient } = await withAnswers(() => ({ body }));
      expect(await failure(kubeClient.list(pods))).toMatchObject({ name: 'KubeApiError', code: 'data-loss' });
    });

    it('says that there is no way to the server', async () => {
      const { kubeClient } = await withAnswers(() => {
        throw new KubeletError('connect ECONNREFUSED 192.0.2.1:6443', { code: 'unavailable' });
      });
      const error = await failure(kubeClient.get(pods, target));
      expect(error).toMatchObject({ name: 'KubeApiError', code: 'unavailable', httpStatus: 0 });
      expect(error.message).toContain('https://api.test:6443/api/v1/namespaces/ns/pods/a');
      expect(error.message).toContain('connect ECONNREFUSED 192.0.2.1:6443');
      expect(kubeClient.healthy()).toMatchObject({ ok: true });
    });

    it('gives up a call after its time, and at its signal', async () => {
      const { kubeClient, advance, pendingTimers } = await withAnswers(() => undefined);
      const slow = failure(kubeClient.get(pods, target, { timeoutMs: 5_000 }));
      const standing = failure(kubeClient.get(pods, target));
      const controller = new AbortController();
      const left = failure(kubeClient.get(pods, target, { signal: controller.signal }));
      controller.abort();
      expect(await left).toMatchObject({ name: 'KubeApiError', code: 'cancelled' });
      await advance(5_000);
      expect(await slow).toMatchObject({ name: 'KubeApiError', code: 'deadline-exceeded', httpStatus: 0 });
      await advance(25_000);
      expect(await standing).toMatchObject({ code: 'deadline-exceeded' });
      expect(pendingTimers()).toBe(0);
    });

    it.each([429, 500, 503])('waits for the Retry-After of a %i and sends again, also what changes', async (code) => {
      let answers = 0;
      const { kubeClient, advance, transport } = await withAnswers(() =>
        ++answers < 4
          ? { status: code, headers: { 'retry-after': '2' }, body: status(code, 'x', 'busy') }
          : { body: pod },
      );
      const call = kubeClient.create(pods, pod as never).catch((error: unknown) => error);
      await advance(5_999);
      expect(transport.requests).toHaveLength(3);
      await advance(1);
      expect(await call).toMatchObject({ kind: 'Pod' });
      expect(new Set(transport.requests.map(({ body }) => body)).size).toBe(1);
    });

    it('sends again ten times at most, and not when the time would run out', async () => {
      const busy = { status: 429, headers: { 'retry-after': '1' }, body: status(429, 'TooManyRequests', 'busy') };
      const { kubeClient, advance, transport } = await withAnswers(() => busy);
      const call = failure(kubeClient.get(pods, target));
      await advance(10_000);
      expect(await call).toMatchObject({ code: 'resource-exhausted', retryAfterMs: 1_000, message: 'busy' });
      expect(transport.requests).toHaveLength(11);
      transport.answer = () => ({ ...busy, headers: { 'retry-after': '60' } });
      expect(await failure(kubeClient.get(pods, target))).toMatchObject({ retryAfterMs: 60_000 });
    });

    it.each([429, 500, 503])('does not repeat a %i that does not ask for it', async (code) => {
      const { kubeClient, transport } = await withAnswers(() => ({ status: code }));
      await failure(kubeClient.get(pods, target));
      expect(transport.requests).toHaveLength(1);
    });

    it('repeats a read whose connection broke, and nothing that changes', async () => {
      let broken = 2;
      const { kubeClient, advance, transport } = await withAnswers(() => {
        if (broken-- > 0) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
        return { body: pod };
      });
      const read = kubeClient.get(pods, target).catch((error: unknown) => error);
      await advance(2_000);
      expect(await read).toMatchObject({ kind: 'Pod' });
      broken = 1;
      transport.requests.length = 0;
      expect(await failure(kubeClient.create(pods, pod as never))).toMatchObject({ code: 'unavailable' });
      expect(transport.requests).toHaveLength(1);
    });

    const limited: readonly RequestBudget[] = ['default', 'status', 'events', 'authentication', 'authorization'];
    it.each(limited)('does not let the others wait behind a budget of %s that is used up', async (budget) => {
      const others = [...limited, 'heartbeat' as const].filter((other) => other !== budget);
      const { kubeClient, advance, transport } = await withAnswers(() => ({ body: pod }));
      const calls = Array.from({ length: 150 }, () => kubeClient.get(pods, target, { budget }));
      await advance(0);
      expect(transport.requests).toHaveLength(100);
      for (const other of others) await kubeClient.get(pods, target, { budget: other });
      const controller = new AbortController();
      const waiting = failure(kubeClient.get(pods, target, { budget, signal: controller.signal }));
      controller.abort();
      expect(await waiting).toMatchObject({ name: 'KubeApiError', code: 'cancelled' });
      await advance(1_000);
      await Promise.all(calls);
      expect(transport.requests).toHaveLength(150 + others.length);
    });

    it('has no limit for heartbeats', async () => {
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: target };
      const { kubeClient, transport } = await withAnswers(() => ({ body: lease }));
      await Promise.all(Array.from({ length: 500 }, () => kubeClient.get(leases, target, { budget: 'heartbeat' })));
      expect(transport.requests).toHaveLength(500);
    });

    it('ends what waits when it is stopped', async () => {
      const { kubeClient, pendingTimers, advance } = await withAnswers(() => undefined);
      const calls = Array.from({ length: 120 }, () => failure(kubeClient.get(pods, target)));
      await advance(0);
      await kubeClient.stop();
      for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'cancelled' });
      expect(pendingTimers()).toBe(0);
    });
  });
}
