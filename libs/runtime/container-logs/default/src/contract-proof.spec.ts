import { afterEach } from '@jest/globals';
import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { ContainerLogOptions, ContainerLogRequest, ContainerLogs } from '@podwright/container-logs-interface';
import { describeContainerLogsContract } from '@podwright/container-logs-interface/contract';
import type { ContainerLogsHarness } from '@podwright/container-logs-interface/contract';
import { KubeletError } from '@podwright/errors';
import { LogHarness } from './fixtures/log-harness.js';

type Broken = (good: ContainerLogsHarness) => Partial<ContainerLogsHarness>;
type Open = ContainerLogs['open'];

// A case that fails leaves logs open, and does not come to its end when it waits in vain.
const made: { readonly harness: LogHarness; readonly over: AbortController }[] = [];
afterEach(async () => {
  for (const { harness, over } of made.splice(0)) {
    over.abort();
    await harness.held();
    await harness.dispose();
  }
});
async function createContractHarness(): Promise<ContainerLogsHarness> {
  const harness = await LogHarness.create();
  const over = new AbortController();
  made.push({ harness, over });
  const { containerLogs } = harness;
  const open: Open = (request) =>
    containerLogs.open({ ...request, signal: AbortSignal.any([request.signal, over.signal]) });
  return breaks<ContainerLogsHarness>(harness, { containerLogs: breaks(containerLogs, { open }) });
}

const broken = (open: (request: ContainerLogRequest, good: Open, call: number) => ReturnType<Open>): Broken =>
  breaksIn('containerLogs', (good) => {
    let calls = 0;
    return { open: (request) => open(request, (asked) => good.open(asked), ++calls) };
  });
const asking = (change: (options: ContainerLogOptions, call: number) => ContainerLogOptions): Broken =>
  broken((request, good, call) => good({ ...request, options: change(request.options, call) }));
const without = (...names: (keyof ContainerLogOptions)[]): Broken =>
  asking((options) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => !names.some((each) => each === name))),
  );

const giving = (change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>): Broken =>
  broken(async (request, good) => change(await good(request)));
const changing = (change: (text: string) => string): Broken =>
  giving(async function* (content) {
    for await (const bytes of content) yield Buffer.from(change(Buffer.from(bytes).toString()));
  });
const oneMore = giving(async function* (content) {
  yield* content;
  yield Buffer.from('more\n');
});
const neverEnds = giving(async function* (content) {
  yield* content;
  await new Promise(() => undefined);
});

const failing = (error: Error): Broken => broken((request, good) => good(request).catch(() => Promise.reject(error)));
const overlooksFailure = broken((request, good) =>
  good(request).catch(() => good({ ...request, options: {}, container: 'app' })),
);
const holdsOne: Broken = ({ held }) => ({ held: async () => (await held()) + 1 });

const overlooksSignal = broken((request, good) => good({ ...request, signal: new AbortController().signal }));

describeContractProof(
  'ContainerLogs',
  (create) => describeContainerLogsContract('broken ContainerLogs', create),
  createContractHarness,
  {
    'gives nothing of a container that has written nothing': {
      'it gives something': oneMore,
      'a file stays open': holdsOne,
    },
    'reads with %j': {
      'it gives one more line': oneMore,
    },
    'reads with {}': { 'the first line is missing': changing((text) => text.replace('one\n', '')) },
    'reads with {"tailLines":2}': { 'it overlooks tailLines': without('tailLines') },
    'reads with {"tailLines":0}': { 'it overlooks tailLines': without('tailLines') },
    'reads with {"limitBytes":6}': { 'it overlooks limitBytes': without('limitBytes') },
    'reads with {"tailLines":2,"limitBytes":1}': {
      'it overlooks tailLines': without('tailLines'),
      'it overlooks limitBytes': without('limitBytes'),
    },
    'reads with {"stream":"Stderr"}': { 'it overlooks the stream': without('stream') },
    'reads with {"stream":"Stdout"}': { 'it overlooks the stream': without('stream') },
    'reads with {"sinceSeconds":15}': { 'it overlooks sinceSeconds': without('sinceSeconds') },
    'reads with {"sinceSeconds":15,"tailLines":3}': { 'it overlooks sinceSeconds': without('sinceSeconds') },
    'reads with {"sinceSeconds":1}': { 'it overlooks sinceSeconds': without('sinceSeconds') },
    'joins what was written without a line feed, with one time stamp for the line': {
      'each write is a line': changing((text) => text.replace('one ', 'one \n')),
      'there is no time stamp': without('timestamps'),
      'the stamp has no fraction': changing((text) => text.replace(/\.\d{9}/, '')),
      'the line of that time is too old': asking(({ sinceTime, ...options }) => ({
        ...options,
        ...(sinceTime !== undefined && { sinceTime: new Date(Date.parse(sinceTime) + 1000).toISOString() }),
      })),
    },
    'refuses %j': {
      'it reads all the same': overlooksFailure,
      'the error has another code': failing(new KubeletError('no', { code: 'internal' })),
    },
    'reads the instance before, and says so when there is none': {
      'it reads the present one': overlooksFailure,
      'the error says something else': failing(new KubeletError('no such log', { code: 'not-found' })),
      'it reads the present one when there is one before': asking((options, call) => (call > 1 ? {} : options)),
      'it reads the one before all the time': asking(() => ({ previous: true })),
    },
    'does not know containers that have no status': {
      'it reads another': overlooksFailure,
      'the error says something else': failing(new KubeletError('no such log', { code: 'not-found' })),
    },
    'reads instances that the runtime has lost its records of': {
      'the one before is lost': broken((request, good) =>
        request.options.previous === true
          ? Promise.reject(new KubeletError('no such container', { code: 'not-found' }))
          : good(request),
      ),
      'the present one is lost': broken((request, good) =>
        request.options.previous === true
          ? good(request)
          : Promise.reject(new KubeletError('no such container', { code: 'not-found' })),
      ),
      'it follows what has ended': broken(async (request, good) => {
        const content = await good(request);
        return request.options.follow === true
          ? (async function* () {
              yield* content;
              await new Promise(() => undefined);
            })()
          : content;
      }),
      'it follows nothing': asking((options) => (options.follow === true ? { ...options, tailLines: 0 } : options)),
    },
    'follows until the container has ended, to its last line': {
      'it reads what is there': without('follow'),
      'it follows from the end': asking((options) => ({ ...options, tailLines: 0 })),
      'the last line is missing': changing((text) => text.replace('three\n', '')),
      'it never ends': neverEnds,
    },
    'follows from the end of the log': {
      'it follows from the beginning': without('tailLines'),
      'it reads what is there': without('follow'),
      'it never ends': neverEnds,
    },
    'loses and repeats nothing over %d rotations, packed every %d, while it %s': {
      'a line is lost': changing((text) => text.replace('1b\n', '')),
      'a line is repeated': changing((text) => text.replace('1a\n', '1a\n1a\n')),
    },
    'follows over rotations that happen while it waits, joining a line across them': {
      'a line is lost': changing((text) => text.replace('three\n', '')),
      'a line ends with its file': changing((text) => text.replace('parts\n', '\nparts\n')),
    },
    'ends at once, while it waits, by %s': {
      'it goes on waiting': broken(async (request, good) => {
        const content = await good({ ...request, signal: new AbortController().signal });
        return (async function* () {
          yield* content; // return() waits for next()
        })();
      }),
      'it gives something more': giving((content) => {
        const good = content[Symbol.asyncIterator]();
        return {
          [Symbol.asyncIterator]: () => ({
            next: async () => {
              await good.next();
              return { done: false, value: Buffer.from('more') };
            },
            return: async () => good.return?.() ?? { done: true, value: undefined },
          }),
        };
      }),
      'a file stays open': holdsOne,
    },
    'frees a log that is never read when its reader goes': {
      'it overlooks the signal': overlooksSignal,
      'it opens the log later': () => ({ held: () => Promise.resolve(0) }),
    },
    'refuses a reader who has gone before': {
      'it overlooks the signal': overlooksSignal,
      'the error is that of a log that is not there': failing(new KubeletError('no such log', { code: 'not-found' })),
    },
  },
);
