import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { KubeApiError, KubeClient, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import {
  describeKubeClientFailureContract,
  type KubeClientFailureHarness,
} from '@podwright/kube-client-interface/contract';
import { onTransport } from './fixtures/contract-harness.js';

type Broken = (good: KubeClientFailureHarness, transport: KubeTransport) => Partial<KubeClientFailureHarness>;
type Options = NonNullable<Parameters<KubeClient['get']>[2]>;

const broken = (replaced: (good: KubeClient) => Partial<KubeClient>): Broken => breaksIn('kubeClient', replaced);
const failing = (end: (error: Error) => Promise<never>): Broken =>
  broken((good) => ({
    get: (...args) => good.get(...args).catch(end),
    list: (...args) => good.list(...args).catch(end),
    create: (...args) => good.create(...args).catch(end),
  }));
const failingWith = (changed: Partial<KubeApiError>): Broken =>
  failing((error) => Promise.reject(Object.assign(error, changed)));
const swallowsFailures = failing(() => Promise.resolve({ items: [] } as never));
const isAnotherError = failingWith({ name: 'KubeletError' });
const hasAnotherCode = failingWith({ code: 'unimplemented' });
const losesTheMessage = failingWith({ message: 'the call failed' });
/** One that makes its calls with other options. */
const calling = (change: (options: Options) => Options): Broken =>
  broken((good) => ({ get: (resource, name, options = {}) => good.get(resource, name, change(options)) }));
const ignoresTheSignal = calling(({ signal: _signal, ...options }) => options);
/** One that sends all again that failed. */
const repeatsAll = broken((good) => ({
  get: (...args) => good.get(...args).catch(() => good.get(...args)),
  create: (...args) => good.create(...args).catch(() => good.create(...args)),
}));
const leavesATimer: Broken = ({ pendingTimers }) => ({ pendingTimers: () => pendingTimers() + 1 });

/** One that sees other answers, or sends other requests, than the suite's transport. */
const on =
  (
    sending: (send: KubeTransport['send']) => KubeTransport['send'],
  ): ((...args: Parameters<Broken>) => Promise<KubeClientFailureHarness>) =>
  (_good, transport) =>
    onTransport(breaks(transport, { send: sending((...args) => transport.send(...args)) }));
const seeing = (change: (headers: KubeHttpResponse['headers']) => KubeHttpResponse['headers']): ReturnType<typeof on> =>
  on((send) => async (...args) => {
    const response = await send(...args);
    return { ...response, headers: change(response.headers) };
  });
const doesNotSeeRetryAfter = seeing(({ 'retry-after': _retryAfter, ...headers }) => headers);

describeContractProof(
  'KubeClient of a server in trouble',
  (create) => describeKubeClientFailureContract('a broken KubeClient', create),
  (transport: KubeTransport): Promise<KubeClientFailureHarness> => onTransport(transport),
  {
    'gives %i %s the code %s and the message of the server': {
      'the failure is swallowed': swallowsFailures,
      'the error is another one': isAnotherError,
      'the code is another one': hasAnotherCode,
      'the status of the answer is lost': failingWith({ httpStatus: 0 }),
      'the reason is lost': failingWith({ reason: 'Unknown' }),
      'the message is lost': losesTheMessage,
    },
    'says clearly what is wrong with an answer: %s': {
      'the answer is taken': swallowsFailures,
      'the error is another one': isAnotherError,
      'the code is another one': hasAnotherCode,
    },
    ...Object.fromEntries(
      [
        'a failure with status 200',
        'text with status 404',
        'HTML with status 502',
        'another object with status 500',
      ].map((answer) => [
        `says clearly what is wrong with an answer: ${answer}`,
        { 'the message is lost': losesTheMessage },
      ]),
    ),
    'does not take a list %s': {
      'it takes the list': swallowsFailures,
      'the error is another one': isAnotherError,
      'the code is another one': hasAnotherCode,
    },
    'says that there is no way to the server': {
      'the failure is swallowed': swallowsFailures,
      'the error is another one': isAnotherError,
      'the code is another one': hasAnotherCode,
      'there seems to be an answer': failingWith({ httpStatus: 503 }),
      'it does not say where it went': failingWith({ message: 'connect ECONNREFUSED 192.0.2.1:6443' }),
      'it does not say why': failingWith({ message: 'https://api.test:6443/api/v1/namespaces/ns/pods/a' }),
      'the client itself is ill': broken(() => ({ healthy: () => ({ ok: false, reason: 'no server' }) })),
    },
    'gives up a call after its time, and at its signal': {
      'it does not look at the time': calling(({ timeoutMs: _timeoutMs, ...options }) => ({
        ...options,
        timeoutMs: 30_000,
      })),
      'it has more time by itself': calling((options) => ({ timeoutMs: 40_000, ...options })),
      'it does not look at the signal': ignoresTheSignal,
      'the error is another one': isAnotherError,
      'the code is another one': hasAnotherCode,
      'there seems to be an answer': failingWith({ httpStatus: 504 }),
      'a timer stays': leavesATimer,
    },
    'waits for the Retry-After of a %i and sends again, also what changes': {
      'it does not send again': doesNotSeeRetryAfter,
      'it does not wait': seeing((headers) =>
        'retry-after' in headers ? { ...headers, 'retry-after': '0' } : headers,
      ),
      'it waits longer': seeing((headers) => ('retry-after' in headers ? { ...headers, 'retry-after': '3' } : headers)),
      'it sends something else': on((send) => {
        let sent = 0;
        return ({ body, ...request }, signal) =>
          send({ ...request, body: `${body as string}${' '.repeat(sent++)}` }, signal);
      }),
    },
    'sends again ten times at most, and not when the time would run out': {
      'it does not send again': doesNotSeeRetryAfter,
      'it sends all twice': on((send) => async (...args) => {
        await send(...args);
        return send(...args);
      }),
      'the code is another one': hasAnotherCode,
      'the message is lost': losesTheMessage,
      'it does not say how long to wait': failingWith({ retryAfterMs: 0 }),
      'it waits longer than it may': calling((options) => ({ ...options, timeoutMs: 120_000 })),
    },
    'does not repeat a %i that does not ask for it': {
      'it repeats': repeatsAll,
      'the failure is swallowed': swallowsFailures,
    },
    'repeats a read whose connection broke, and nothing that changes': {
      'it does not repeat a read': on(
        (send) =>
          (...args) =>
            send(...args).catch(() => Promise.reject(new Error('broken'))),
      ),
      'it repeats what changes': repeatsAll,
      'the code is another one': hasAnotherCode,
    },
    'does not let the others wait behind a budget of %s that is used up': {
      'the budget is without end': calling((options) => ({ ...options, budget: 'heartbeat' })),
      'there is one budget for all': calling((options) => ({ ...options, budget: 'status' })),
      'who waits does not look at the signal': ignoresTheSignal,
      'the error is another one': isAnotherError,
      'the code is another one': hasAnotherCode,
      'some are not sent at all': broken((good) => {
        let calls = 0;
        return {
          get: (...args) => (++calls > 140 ? Promise.resolve({} as never) : good.get(...args)),
        };
      }),
    },
    'has no limit for heartbeats': {
      'they wait as others do': calling((options) => ({ ...options, budget: 'default' })),
      'some are not sent': broken((good) => {
        let calls = 0;
        return { get: (...args) => (++calls > 100 ? Promise.resolve({} as never) : good.get(...args)) };
      }),
    },
    'ends what waits when it is stopped': {
      'the stop does nothing': broken(() => ({ stop: () => Promise.resolve() })),
      'the code is another one': hasAnotherCode,
      'a timer stays': leavesATimer,
    },
  },
);
