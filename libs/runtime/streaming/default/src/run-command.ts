import type { ContainerRuntime } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, rethrowAsRpc } from '@podwright/errors';
import type { RunRequest } from '@podwright/streaming-interface';
import { runningContainer } from './session-url.js';

/**
 * Runs a command without a time limit and resolves with its stdout followed by its stderr. Rejects with `internal` for
 * an exit code other than 0, else with the runtime's code. Source: kubernetes v1.36 kuberuntime_container.go
 * (RunInContainer), cri-client/pkg/remote_runtime.go (ExecSync).
 */
export async function runCommand(
  request: RunRequest,
  pods: Pick<ContainerRuntime, 'getPods'>,
  runtime: Pick<RuntimeService, 'execSync'>,
): Promise<Uint8Array> {
  const { container, command, signal } = request;
  const { id: containerId } = await runningContainer(request, container, 'run', pods, signal);
  const { stdout, stderr, exitCode } = await runtime
    .execSync({ containerId, cmd: [...command], timeout: 0n }, { signal, timeoutMs: 0 })
    .catch(rethrowAsRpc);
  if (exitCode === 0) return Buffer.concat([stdout, stderr]);
  const said = Buffer.from(stderr).toString('utf8');
  throw new KubeletError(`command '${command.join(' ')}' exited with ${exitCode}: ${said}`, { code: 'internal' });
}
