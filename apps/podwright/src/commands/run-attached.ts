import type { Pod } from '@podwright/kube-types';
import { isTerminalPhase } from '@podwright/kube-types';
import { messageOf } from '@podwright/errors';
import type { ApiObject } from '../client/resources.js';
import { pods, resourcePath } from '../client/resources.js';
import { untilObject } from '../client/until-object.js';
import { CommandError } from '../command-error.js';
import { attach } from './attach.js';
import type { CommandContext } from './command.js';
import { withTimeout } from './waiting.js';

export interface RunAttachedOptions {
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
  readonly detachKeys: string;
  readonly restart: string;
  readonly rm: boolean;
  readonly 'leave-stdin-open': boolean;
  readonly timeoutMs: number;
}

/**
 * Attaches to a new pod and ends with its container's exit code, if the pod is not restarted. Source: kubernetes v1.36
 * kubectl/pkg/cmd/run/run.go handleAttachPod, waitForPod.
 */
export async function attachToRun(context: CommandContext, pod: Pod, options: RunAttachedOptions): Promise<void> {
  try {
    const running = await untilPod(
      context,
      pod,
      options.timeoutMs,
      ({ status }) => isReady(status) || isTerminalPhase(status?.phase),
    );
    if (isTerminalPhase(running.status?.phase)) await printLogs(context, pod);
    else await attachOrLog(context, running, options);
    if (options['leave-stdin-open'] || options.restart === 'Always') return;
    const onlySuccess = options.restart === 'OnFailure';
    const ended = await untilPod(context, pod, options.timeoutMs, ({ status }) =>
      onlySuccess ? status?.phase === 'Succeeded' : isTerminalPhase(status?.phase),
    );
    throwUnlessSucceeded(ended);
  } finally {
    if (options.rm) await remove(context, pod, options.quiet);
  }
}

async function attachOrLog(context: CommandContext, pod: Pod, options: RunAttachedOptions): Promise<void> {
  // What the container wrote before the attach.
  const printed = await printLogs(context, pod);
  try {
    await attach(context, pod, options);
  } catch (error) {
    if (context.io.signal.aborted || error instanceof CommandError) throw error;
    const name = pod.metadata.name ?? '';
    await context.io.err(
      `warning: couldn't attach to pod/${name}, falling back to streaming logs: ${messageOf(error)}\n`,
    );
    await printLogs(context, pod, printed);
  }
}

/** Prints the logs of the container from a byte on; returns how long they are. */
async function printLogs(
  { client, io, namespace }: CommandContext,
  { metadata, spec }: Pod,
  from = 0,
): Promise<number> {
  const query = { container: spec.containers[0]?.name };
  const path = `${resourcePath(pods, namespace, metadata.name)}/log`;
  let length = 0;
  for await (const chunk of (await client.open('GET', path, { query, signal: io.signal })) as AsyncIterable<Buffer>) {
    await io.out(chunk.subarray(Math.max(0, from - length)));
    length += chunk.length;
  }
  return length;
}

/** @throws CommandError when the pod is deleted meanwhile, or at the timeout. */
function untilPod(
  context: CommandContext,
  { metadata }: Pod,
  timeoutMs: number,
  isDone: (pod: Pod) => boolean,
): Promise<Pod> {
  const { client, io, namespace } = context;
  const name = metadata.name ?? '';
  return withTimeout(context, timeoutMs, async (limits) => {
    const check = (object: ApiObject | undefined): boolean => {
      if (object === undefined) throw new CommandError(`pods "${name}" not found: it was deleted`);
      return isDone(object as unknown as Pod);
    };
    try {
      const found = await untilObject(client, { resource: pods, namespace, name }, check, {
        clock: io.clock,
        signal: limits.signal,
      });
      return found as unknown as Pod;
    } catch (error) {
      throw limits.failure(error, `pods/${name}`);
    }
  });
}

function isReady(status: Pod['status']): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return status?.phase === 'Running' && ready?.status === 'True';
}

function throwUnlessSucceeded({ metadata, status }: Pod): void {
  if (status?.phase === 'Succeeded') return;
  const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  const terminated = status?.containerStatuses?.[0]?.state?.terminated;
  if (terminated === undefined || terminated.exitCode === 0) {
    throw new CommandError(`pod ${name} failed with unknown exit code`);
  }
  const text = `pod ${name} terminated (${terminated.reason ?? ''})\n${terminated.message ?? ''}`;
  throw new CommandError(text, { exitCode: terminated.exitCode, bare: true });
}

/** Also after Ctrl-C, so it has a time of its own. */
async function remove({ client, io, namespace }: CommandContext, { metadata }: Pod, quiet: boolean): Promise<void> {
  const name = metadata.name ?? '';
  const deadline = io.clock.deadline(removalTimeoutMs);
  try {
    await client.call('DELETE', resourcePath(pods, namespace, name), { signal: deadline.signal });
  } finally {
    deadline.dispose();
  }
  if (!quiet) await io.out(`pod "${name}" deleted from ${namespace} namespace\n`);
}

const removalTimeoutMs = 10_000;
