import type * as cri from '@podwright/cri-client-interface';
import type { DeepPartial } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Random } from '@podwright/time';
import { unknown } from './runtime-errors.js';
import type { RuntimeState } from './runtime-state.js';
import type { SimulatedContainer } from './simulated-container.js';

/** A session that a client has asked for. */
export type StreamRequest =
  | { readonly kind: 'exec'; readonly container: SimulatedContainer; readonly request: DeepPartial<cri.ExecRequest> }
  | {
      readonly kind: 'attach';
      readonly container: SimulatedContainer;
      readonly request: DeepPartial<cri.AttachRequest>;
    }
  | { readonly kind: 'portforward'; readonly podSandboxId: string };

/** The CRI calls for commands in containers, and for streaming URLs. */
export class ExecCalls {
  constructor(
    private readonly random: Random,
    private readonly state: RuntimeState,
    private readonly streamingUrl?: (request: StreamRequest) => string,
  ) {}

  async execSync(request: DeepPartial<cri.ExecSyncRequest>, signal: AbortSignal): Promise<cri.ExecSyncResponse> {
    const { containerId = '', cmd = [], timeout = 0n } = request;
    const missing = `failed to exec in container: failed to find container "${containerId}" in store`;
    const container = this.state.container(containerId, missing);
    if (!container.running) throw unknown(`failed to exec in container: ${container.stateText()}`);
    const { exitCode = 0, stdout = '', stderr = '', takesMs = 0 } = container.program.exec?.(cmd) ?? {};
    const limitMs = timeout > 0n ? Number(timeout) * 1000 : Infinity;
    if (takesMs > 0 && !(await container.sleepUntilEnd(Math.min(takesMs, limitMs), signal))) {
      return { stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 137 };
    }
    if (takesMs > limitMs) {
      const message = `failed to exec in container: timeout ${timeout}s exceeded: context deadline exceeded`;
      throw new KubeletError(message, { code: 'deadline-exceeded' });
    }
    const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
    return { stdout: bytes(stdout), stderr: bytes(stderr), exitCode };
  }

  exec(request: DeepPartial<cri.ExecRequest>): cri.ExecResponse {
    return this.url({ kind: 'exec', container: this.running(request.containerId), request });
  }

  attach(request: DeepPartial<cri.AttachRequest>): cri.AttachResponse {
    return this.url({ kind: 'attach', container: this.running(request.containerId), request });
  }

  private running(containerId = ''): SimulatedContainer {
    const container = this.state.container(containerId, `failed to find container "${containerId}" in store`);
    if (!container.running) throw unknown(container.stateText());
    return container;
  }

  portForward({ podSandboxId = '' }: DeepPartial<cri.PortForwardRequest>): cri.PortForwardResponse {
    const sandbox = this.state.sandbox(podSandboxId, `failed to find sandbox "${podSandboxId}"`);
    if (!sandbox.ready) throw unknown(`sandbox container "${sandbox.id}" is not running`);
    return this.url({ kind: 'portforward', podSandboxId: sandbox.id });
  }

  // Streaming is outside the CRI: unless a test brings a server, nothing listens at these URLs.
  private url(request: StreamRequest): { url: string } {
    return { url: this.streamingUrl?.(request) ?? `http://127.0.0.1:1/${request.kind}/${this.random.hex(4)}` };
  }
}
