import type { ServerRequest } from '../../route.js';
import { formValues } from '../form-values.js';

/** Which streams of a command or container a client wants. */
export interface StreamOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/**
 * Of the form values `input`, `output`, `error` and `tty`, where `1` alone is yes; undefined when no stream is wanted. A
 * terminal has no stderr. Source: kubernetes v1.36 staging/src/k8s.io/cri-streaming/pkg/streaming/remotecommand (NewOptions).
 */
export async function streamOptions(request: ServerRequest): Promise<StreamOptions | undefined> {
  const values = await formValues(request);
  const isOne = (name: string): boolean => values.get(name) === '1';
  const tty = isOne('tty');
  const options = { stdin: isOne('input'), stdout: isOne('output'), stderr: isOne('error') && !tty, tty };
  return options.stdin || options.stdout || options.stderr ? options : undefined;
}

/** The answer's text when there are none. */
export const noStreamsMessage = 'you must specify at least 1 of stdin, stdout, stderr';
