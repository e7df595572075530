import type { CriClient } from '@podwright/cri-client';
import type { ImageService, RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { grpcStatus, StatusError } from '@podwright/grpc';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- a runtime is not published: only attacks and specs need one
import {
  CriServer,
  type Handlers,
  type ServerCall,
} from '../../libs/runtime/cri-client/default/src/fixtures/cri-server.js';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- as above
import * as codecs from '../../libs/runtime/cri-client/default/src/fixtures/generated/server-codecs.js';

type Services = RuntimeService & ImageService;

/** What the runtime answers instead of the truth, which `truth` asks for; it may also fail, or answer a stream. */
export type Lies = {
  readonly [Call in keyof Services]?: (
    request: Parameters<Services[Call]>[0],
    truth: () => ReturnType<Services[Call]>,
  ) => ReturnType<NonNullable<Handlers[Call]>>;
};

type AnyCall = (request: unknown, options: object) => unknown;

/** Stands between a kubelet and its runtime: forwards every call, except those that it lies about. */
export class LyingRuntime {
  private lies: Lies = {};

  private constructor(private readonly server: CriServer) {}

  /** `runtime` is the real one. */
  static async before(runtime: CriClient): Promise<LyingRuntime> {
    const server = await CriServer.make({});
    const lying = new LyingRuntime(server);
    for (const name of Object.keys({ ...codecs.runtimeServiceMethods, ...codecs.imageServiceMethods })) {
      const forward = runtime[name as keyof Services].bind(runtime) as AnyCall;
      const handler = (request: unknown, call: ServerCall): unknown => lying.answer(name, forward, request, call);
      Object.assign(server.handlers, { [name]: handler });
    }
    await server.listen();
    return lying;
  }

  get endpoint(): string {
    return this.server.endpoint;
  }

  /** Lies while `work` runs. */
  async lie<T>(lies: Lies, work: () => Promise<T>): Promise<T> {
    this.lies = lies;
    try {
      return await work();
    } finally {
      this.lies = {};
    }
  }

  /** Breaks all calls and streams, as a runtime that starts again. */
  async reconnect(): Promise<void> {
    await this.server.die();
    await this.server.listen();
  }

  close(): Promise<void> {
    return this.server.remove();
  }

  private answer(name: string, forward: AnyCall, request: unknown, call: ServerCall): unknown {
    const truth = (): unknown => forward(request, optionsOf(call));
    const lie = this.lies[name as keyof Services] as ((request: unknown, truth: () => unknown) => unknown) | undefined;
    const answer = lie === undefined ? truth() : lie(request, truth);
    return answer instanceof Promise ? answer.catch(rethrowAsStatus) : answer;
  }
}

function optionsOf({ cancelled, deadlineMs }: ServerCall): object {
  const ending = new AbortController();
  void cancelled.then(() => ending.abort());
  return { signal: ending.signal, timeoutMs: deadlineMs === undefined ? 0 : Math.max(1, deadlineMs - Date.now()) };
}

/** The kubelet gets the runtime's own status. */
function rethrowAsStatus(error: unknown): never {
  if (error instanceof StatusError) throw error;
  const { code, message } = KubeletError.from(error);
  const name = code.toUpperCase().replaceAll('-', '_') as keyof typeof grpcStatus;
  throw new StatusError(grpcStatus[name] ?? grpcStatus.UNKNOWN, message);
}
