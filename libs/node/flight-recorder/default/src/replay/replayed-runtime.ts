import {
  defaultDeadlineMs,
  type CallOptions,
  type ImageService,
  type RpcName,
  type RuntimeConnection,
  type RuntimeService,
} from '@podwright/cri-client-interface';
import type { Seam } from '@podwright/flight-recorder-interface';
import { callKey, isChange } from '../seams/call-key.js';
import { belowRoot } from './below-root.js';
import { onOwnDisks } from './image-disks.js';
import type { ReplayedWorld } from './replayed-world.js';

const imageMethods = new Set<string>([
  'listImages',
  'streamImages',
  'imageStatus',
  'pullImage',
  'removeImage',
  'imageFsInfo',
] satisfies readonly (keyof ImageService)[]);

const isStream = (method: string): boolean => method.startsWith('stream') || method === 'getContainerEvents';

export interface ReplayedRuntimeFacts {
  readonly runtimeName: string;
  readonly runtimeVersion: string;
  readonly runtimeApiVersion: string;
}

export interface ReplayedRuntimeOptions {
  readonly facts: ReplayedRuntimeFacts;
  readonly requestTimeoutMs: number;
  /** Parent of all paths of the recorded machine. */
  readonly root: string;
}

/** The container runtime of a recording. */
export function replayedRuntime(
  world: ReplayedWorld,
  { facts, requestTimeoutMs, root }: ReplayedRuntimeOptions,
): RuntimeService & ImageService & RuntimeConnection {
  const own: Record<PropertyKey, unknown> = { ...facts, start: async () => undefined, stop: async () => undefined };
  const call =
    (method: string) =>
    async (request: unknown, options: CallOptions = {}) => {
      const seam: Seam = imageMethods.has(method) ? 'images' : 'runtime';
      const { timeout } = (request ?? {}) as { readonly timeout?: bigint };
      const limitMs = options.timeoutMs ?? defaultDeadlineMs(method as RpcName, requestTimeoutMs, timeout);
      const asked = { seam, method, key: callKey(method as RpcName, request) };
      const { signal } = options;
      const answer = await world.call(asked, {
        signal,
        changes: isChange(method),
        limitMs: limitMs === 0 ? Infinity : limitMs,
        derived: (atMs, recorded) => world.runtime.answer(method, request, atMs, recorded),
      });
      return method === 'imageFsInfo' ? onOwnDisks(answer, world.summaries, root) : belowRoot(answer, root);
    };
  const stream = (method: string) =>
    async function* (request: unknown, { signal }: CallOptions = {}): AsyncGenerator<unknown> {
      const seam: Seam = imageMethods.has(method) ? 'images' : 'runtime';
      const asked = { seam, method, key: callKey(method as RpcName, request) };
      const { items } = await world.open(asked, { signal, changes: true });
      for await (const item of items) yield belowRoot(item, root);
    };
  return new Proxy(own, {
    get: (target, name) => {
      // A promise would take a `then` for one of its own.
      if (Object.hasOwn(target, name) || typeof name !== 'string' || name === 'then') return target[name];
      return (target[name] = isStream(name) ? stream(name) : call(name));
    },
  }) as unknown as RuntimeService & ImageService & RuntimeConnection;
}
