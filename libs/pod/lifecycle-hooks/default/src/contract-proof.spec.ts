import { breaksIn, describeContractProof } from '@podwright/contract';
import type { Container } from '@podwright/kube-types';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import { describeLifecycleHooksContract } from '@podwright/lifecycle-hooks-interface/contract';
import { harness, type HooksHarness } from './fixtures/hooks-harness.js';

type Broken = (good: HooksHarness) => Partial<HooksHarness>;
type Run = LifecycleHooks['run'];
type Handler = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;
type HttpGet = NonNullable<Handler['httpGet']>;

const running = (change: (run: Run, harness: HooksHarness) => Run): Broken =>
  breaksIn('hooks', (hooks, good) => ({ run: change((...args) => hooks.run(...args), good) }));
/** It runs another handler. */
const withHandler = (change: (handler: Handler) => Handler): Broken =>
  running((run) => (hook, pod, container, ...rest) => {
    const handler = container.lifecycle?.[hook];
    const changed = handler && { ...container, lifecycle: { [hook]: change(handler) } };
    return run(hook, pod, changed ?? container, ...rest);
  });
const withCommand = (...command: string[]): Broken => withHandler(() => ({ exec: { command } }));
const withSleep = (change: (seconds: number) => number): Broken =>
  withHandler(({ sleep, ...others }) => (sleep ? { sleep: { seconds: change(sleep.seconds) } } : others));
const withHttpGet = (change: (httpGet: HttpGet) => Partial<HttpGet>): Broken =>
  withHandler(({ httpGet }) => (httpGet ? { httpGet: { ...httpGet, ...change(httpGet) } } : {}));
const withHeader = (name: string): Broken =>
  withHttpGet(({ httpHeaders = [] }) => ({ httpHeaders: [...httpHeaders, { name, value: 'other' }] }));
const onRejection = (instead: (message: string) => Promise<void>, of: RegExp = /./): Broken =>
  running(
    (run) =>
      (...args) =>
        run(...args).catch((error: Error) => (of.test(error.message) ? instead(error.message) : Promise.reject(error))),
  );
const swallows = (of?: RegExp): Broken => onRejection(() => Promise.resolve(), of);
const inOtherWords = (of?: RegExp): Broken => onRejection(() => Promise.reject(new Error('hook failed')), of);
const withoutHost = ({ host: _host, ...httpGet }: HttpGet): HttpGet => httpGet;

const runsNothing = running(() => () => Promise.resolve());
const rejects = running((run) => async (...args) => {
  await run(...args);
  throw new Error('hook failed');
});
const overlooksSignal = (kind: keyof Handler): Broken =>
  running((run) => (hook, pod, container, containerId, signal, options) => {
    const handler = container.lifecycle?.[hook];
    return run(hook, pod, container, containerId, handler?.[kind] ? new AbortController().signal : signal, options);
  });
const runsCommand = {
  'it runs nothing': runsNothing,
  'it runs another command': withCommand('/bin/go'),
  'it runs the command in another container': running(
    (run) =>
      (hook, pod, container, _containerId, ...rest) =>
        run(hook, pod, container, 'c2', ...rest),
  ),
  'it runs the command twice': running((run) => async (...args) => {
    await run(...args);
    await run(...args);
  }),
  'it rejects': rejects,
};

describeContractProof(
  'LifecycleHooks',
  (create) => describeLifecycleHooksContract('broken LifecycleHooks', create),
  async () => harness(),
  {
    'runs the command of postStart in the container': runsCommand,
    'runs the command of preStop in the container': runsCommand,
    'does nothing for a container without that hook': {
      'it runs the other hook': running(
        (run) =>
          (_hook, pod, container, ...rest) =>
            run('postStart', pod, container, ...rest),
      ),
      'it rejects': rejects,
    },
    'rejects with upstream words and the output of a command that failed': {
      'it resolves': swallows(),
      'the words differ': inOtherWords(),
      'the output is missing': onRejection((message) => Promise.reject(new Error(message.replace('out err', '')))),
    },
    'waits as long as a sleep says, zero included': {
      'it does not wait': withSleep(() => 0),
      'it waits longer': withSleep((seconds) => seconds && seconds + 1),
      'zero is a second': withSleep((seconds) => Math.max(seconds, 1)),
    },
    'ends with the signal': {
      'a sleep goes on': overlooksSignal('sleep'),
      'a command goes on': overlooksSignal('exec'),
      'a sleep that was cut short resolves': swallows(/^Sleep/),
      'a command that was cut short resolves': swallows(/^Exec/),
      'the words of a sleep differ': inOtherWords(/^Sleep/),
      'the words of a command differ': inOtherWords(/^Exec/),
    },
    'takes the time that a sleep has had before off it, and runs everything else anew': {
      'a sleep begins anew': running(
        (run) => (hook, pod, container, containerId, signal) => run(hook, pod, container, containerId, signal),
      ),
      'a sleep begun before is over': withSleep(() => 0),
      'a sleep that is over lasts a second': withSleep((seconds) => seconds + 2),
      'a command does not run again': withHandler(({ sleep }) => (sleep ? { sleep } : { sleep: { seconds: 0 } })),
    },
    'asks the first IP that the pod has now, whatever the status of the answer': {
      'it asks nobody': runsNothing,
      'it rejects for the status': rejects,
      'it drops the query': withHttpGet(() => ({ path: '/go' })),
      'it drops the headers': withHttpGet(() => ({ httpHeaders: [] })),
      'it has another user agent': withHeader('User-Agent'),
      'it accepts something else': withHeader('Accept'),
      'it does not know ports by name': running(
        (run) =>
          (hook, pod, { ports: _ports, ...container }, ...rest) =>
            run(hook, pod, container, ...rest),
      ),
      'it asks an IP from before': () => ({ setPodIp: () => undefined }),
    },
    'asks the host of the handler without looking for the pod': {
      'it asks the pod': withHandler(({ httpGet }) => (httpGet ? { httpGet: withoutHost(httpGet) } : {})),
      'it asks nobody': runsNothing,
    },
    'rejects with upstream words when nobody answers, or the pod has no IP': {
      'it resolves when nobody answers': swallows(/refused/),
      'it resolves when the pod has no IP': swallows(/networking/),
      'the words differ when nobody answers': inOtherWords(/refused/),
      'the words differ when the pod has no IP': inOtherWords(/networking/),
      'it asks the node instead': withHttpGet(() => ({ host: '127.0.0.1' })),
    },
    'ends with the signal also when a server never answers': {
      'it waits on': overlooksSignal('httpGet'),
      'it resolves': swallows(),
      'the words differ': inOtherWords(),
    },
    'asks over http, without credentials, where https is answered in plain text, and tells': {
      'it rejects': rejects,
      'it asks nobody': runsNothing,
      'it drops all headers': withHttpGet(() => ({ httpHeaders: [] })),
      'it sends the credentials': running((run, { events }) => async (hook, pod, container, ...rest) => {
        const httpGet = container.lifecycle?.[hook]?.httpGet;
        if (httpGet === undefined) return;
        await run(
          hook,
          pod,
          { ...container, lifecycle: { [hook]: { httpGet: { ...httpGet, scheme: 'HTTP' } } } },
          ...rest,
        );
        const host = `${httpGet.host}:${httpGet.port}`;
        events.push(
          `Warning LifecycleHTTPFallback request to HTTPS lifecycle hook ${host} got HTTP response, retry with HTTP succeeded`,
        );
      }),
      'it does not tell': () => ({ events: [] }),
    },
    'refuses %s': {
      'it resolves': swallows(),
      'the words differ': inOtherWords(),
    },
  },
);
