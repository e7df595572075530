import type { RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, rpcErrorText } from '@podwright/errors';
import { expandVariables, type Container, type Probe } from '@podwright/kube-types';
import type { Prober, ProbeOutcome, ProbeTarget } from '@podwright/probe-interface';
import { formatGoDuration } from '@podwright/time';
import { cutOutput, maxOutputBytes } from './output-limit.js';

type ExecAction = NonNullable<Probe['exec']>;

/**
 * Runs a command in the container. The runtime measures the time, so a stall of our event loop does no harm.
 * Source: kubernetes v1.36 pkg/probe/exec/exec.go, pkg/kubelet/kuberuntime/kuberuntime_container.go RunInContainer.
 */
export class ExecProber implements Prober<ExecAction> {
  constructor(private readonly runtime: Pick<RuntimeService, 'execSync'>) {}

  async probe(
    { command = [] }: ExecAction,
    { container, containerId }: ProbeTarget,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<ProbeOutcome> {
    const cmd = command.map((part) => expandLiterals(part, container));
    try {
      const timeout = BigInt(Math.round(timeoutMs / 1000));
      const { stdout, stderr, exitCode } = await this.runtime.execSync({ containerId, cmd, timeout }, { signal });
      const shown = [stdout, stderr].map((stream) => stream.subarray(0, maxOutputBytes));
      const output = cutOutput(Buffer.concat(shown));
      return { result: exitCode === 0 ? 'success' : 'failure', output };
    } catch (error) {
      if (!hasCode(error, 'deadline-exceeded')) return { result: 'unknown', error: rpcErrorText(error) };
      const text = `command timed out: ${JSON.stringify(cmd.join(' '))} timed out after ${formatGoDuration(timeoutMs)}`;
      return { result: 'failure', output: text };
    }
  }
}

/**
 * Replaces `$(NAME)` by the literal values in the container's spec; as upstream, a variable with a value from elsewhere
 * is empty. Source: kubernetes v1.36 pkg/kubelet/container/helpers.go ExpandContainerCommandOnlyStatic.
 */
function expandLiterals(text: string, { env = [] }: Container): string {
  return expandVariables(text, (wanted) => {
    const variable = env.findLast(({ name }) => name === wanted);
    return variable && (variable.value ?? '');
  });
}
