import type * as cri from '@podwright/cri-client-interface';
import type { DeepPartial } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Random } from '@podwright/time';
import { unknown } from './runtime-errors.js';
import type { RuntimeState } from './runtime-state.js';

/** The CRI calls for commands in containers, and for streaming URLs. */
export class ExecCalls {
  constructor(
    private readonly random: Random,
    private readonly state: RuntimeState,
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

  streamTo(kind: 'exec' | 'attach', containerId = ''): { url: string } {
    const container = this.state.container(containerId, `failed to find container "${containerId}" in store`);
    if (!container.running) throw unknown(container.stateText());
    return this.url(kind);
  }

  portForward({ podSandboxId = '' }: DeepPartial<cri.PortForwardRequest>): cri.PortForwardResponse {
    const sandbox = this.state.sandbox(podSandboxId, `failed to find sandbox "${podSandboxId}"`);
    if (!sandbox.ready) throw unknown(`sandbox container "${sandbox.id}" is not running`);
    return this.url('portforward');
  }

  // Nothing listens at these URLs: the runtime does not simulate streaming, which is outside the CRI.
  private url(kind: string): { url: string } {
    return { url: `http://127.0.0.1:1/${kind}/${this.random.hex(4)}` };
  }
}
