import type { ServerRequest } from '@podwright/server-interface';
import { formValues } from '@podwright/http-router';

/** The streams of a command or container that a client requests. */
export interface StreamOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/**
 * Reads the form values `input`, `output`, `error` and `tty`; only `1` means true. Undefined when the client requests
 * no stream. A terminal has no stderr. Source: kubernetes v1.36
 * staging/src/k8s.io/cri-streaming/pkg/streaming/remotecommand (NewOptions).
 */
export async function streamOptions(request: ServerRequest): Promise<StreamOptions | undefined> {
  const values = await formValues(request);
  const isOne = (name: string): boolean => values.get(name) === '1';
  const tty = isOne('tty');
  const options = { stdin: isOne('input'), stdout: isOne('output'), stderr: isOne('error') && !tty, tty };
  return options.stdin || options.stdout || options.stderr ? options : undefined;
}

/** The answer to a client that requests no stream. */
export const noStreamsMessage = 'you must specify at least 1 of stdin, stdout, stderr';
