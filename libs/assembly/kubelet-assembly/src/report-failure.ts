import { KubeletError, messageOf } from '@podwright/errors';
import { createLogger } from '@podwright/logging';
import { createSystemClock } from '@podwright/time';

/** How the last line is written. */
export interface FailureStyle {
  /** Name of the program, in place of klog's file and line. */
  readonly component: string;
  readonly format?: 'text' | 'json';
  /** The configuration was in order. */
  readonly running?: boolean;
}

/**
 * Logs why the kubelet ends, with the words that monitoring of upstream's kubelet looks for. Writes at once, so that it
 * is the last line; other loggers of the process must be flushed.
 */
export function reportFailure(error: unknown, { running = false, ...style }: FailureStyle): void {
  const write = (line: string): void => void process.stderr.write(`${line}\n`);
  const logger = createLogger({ clock: createSystemClock(), ...style, write });
  logger.error('command failed', { err: `${running ? 'failed to run Kubelet: ' : ''}${failureText(error)}` });
}

/** A sentence for a fault that the user can fix; any other error keeps its stack for a bug report. */
export function failureText(error: unknown): string {
  const known = error instanceof KubeletError || (error instanceof Error && error.name === 'UsageError');
  return known || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message);
}
