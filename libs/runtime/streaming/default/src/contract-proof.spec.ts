import { afterEach } from '@jest/globals';
import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { Streaming } from '@podwright/streaming-interface';
import { describeStreamingContract } from '@podwright/streaming-interface/contract';
import type { StreamingHarness } from '@podwright/streaming-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: StreamingHarness) => Partial<StreamingHarness>;

// A case whose end is not clean leaves its sockets.
const made: StreamingHarness[] = [];
afterEach(async () => {
  for (const { streaming, dispose } of made.splice(0)) {
    await streaming.stop();
    await dispose();
  }
});
async function create(): Promise<StreamingHarness> {
  const good = await createContractHarness();
  let disposed: Promise<void> | undefined;
  const harness = breaks(good, { dispose: () => (disposed ??= good.dispose()) });
  made.push(harness);
  return harness;
}

const broken = (replaced: (good: Streaming, harness: StreamingHarness) => Partial<Streaming>): Broken =>
  breaksIn('streaming', replaced);
const failing = (change: (error: KubeletError) => Error): Broken =>
  broken((good) => ({
    serve: (...args) => good.serve(...args).catch((error: unknown) => Promise.reject(change(KubeletError.from(error)))),
    prepare: (...args) =>
      good.prepare(...args).catch((error: unknown) => Promise.reject(change(KubeletError.from(error)))),
    run: (request) => good.run(request).catch((error: unknown) => Promise.reject(change(KubeletError.from(error)))),
  }));
const otherCode = failing(({ message }) => new KubeletError(message, { code: 'failed-precondition' }));
const never = new AbortController().signal;

describeContractProof('Streaming', (make) => describeStreamingContract('a broken Streaming', make), create, {
  'can be stopped before it was started, and twice': {
    'a second stop is refused': refusesSecondStop('streaming'),
    'its health cannot be asked for': broken(() => ({
      healthy: () => {
        throw new Error('not started');
      },
    })),
    'a socket is left': () => ({ leftOver: () => Promise.resolve(1) }),
  },
  'joins the client and the runtime: $kind': {
    'what came with the request is lost': broken((good) => ({
      serve: (session, request, signal) => good.serve(session, { ...request, head: new Uint8Array() }, signal),
    })),
    'the protocol is not changed': broken((good, { setRuntime }) => ({
      serve: (...args) => {
        setRuntime('refuse');
        return good.serve(...args);
      },
    })),
    'the session never ends': broken((good) => ({
      serve: (...args) => good.serve(...args).then(() => new Promise(() => undefined)),
    })),
  },
  'hands a refusal of the runtime on': {
    'it joins them all the same': () => ({ setRuntime: () => undefined }),
    'the status is another': broken(() => ({
      serve: async (_session, { socket }) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\nno'),
    })),
    'the body is lost': broken(() => ({
      serve: async (_session, { socket }) => void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'),
    })),
  },
  'rejects for %s, and nothing was written': {
    'the error has another code': otherCode,
    'an answer was written': broken((good) => ({
      serve: (session, request, signal) =>
        good.serve(session, request, signal).catch((error: unknown) => {
          request.socket.write('HTTP/1.1 404 Not Found\r\n\r\n');
          throw error;
        }),
    })),
    'it takes another': broken((good) => ({
      serve: (session, request, signal) => {
        const pod = { podUid: 'uid-1', podName: 'web', podNamespace: 'default' };
        const asked = session.kind === 'portforward' ? { ...session, ...pod } : { ...session, container: 'app' };
        return good.serve(asked, request, signal);
      },
    })),
  },
  "keeps the runtime's error class: %s": {
    'every error is another': otherCode,
  },
  'requests a session that no client takes over, and rejects as for one that a client does': {
    'it requests none': broken(() => ({ prepare: () => Promise.resolve() })),
    'it has none': broken(() => ({
      prepare: () => Promise.reject(new KubeletError('no session', { code: 'internal' })),
    })),
    'every error is another': otherCode,
  },
  'ends a session with its signal, one that the runtime has not answered too': {
    'it overlooks the signal': broken((good) => ({
      serve: (session, request) => good.serve(session, request, never),
    })),
    'one without an answer resolves': broken((good) => ({
      serve: (...args) => good.serve(...args).catch(() => undefined),
    })),
  },
  'ends all sessions when it is stopped': {
    'they go on': broken((good) => {
      let stops = 0;
      return { stop: () => (stops++ === 0 ? Promise.resolve() : good.stop()) };
    }),
    'the clients are not told': broken((good) => {
      let stop = (): void => undefined;
      const stopped = new Promise<void>((resolve) => (stop = resolve));
      let stops = 0;
      return {
        serve: (...args) => Promise.race([good.serve(...args), stopped]),
        stop: async () => {
          stop();
          if (stops++ > 0) await good.stop();
        },
      };
    }),
    'it serves after the stop': broken((good) => ({
      serve: (...args) => good.serve(...args).catch(() => undefined),
    })),
  },
  'runs a command and gives stdout followed by stderr; a command that fails rejects': {
    'it gives stdout alone': broken((good) => ({
      run: async (request) => (await good.run(request)).slice(0, 3),
    })),
    'a command that fails gives what it wrote': broken((good) => ({
      run: (request) => good.run(request).catch(() => Buffer.from('outerr')),
    })),
    'the error has another code': otherCode,
    'the error does not tell what it wrote': failing(
      ({ message, code }) => new KubeletError(message.replace(': err', ''), { code }),
    ),
  },
});
