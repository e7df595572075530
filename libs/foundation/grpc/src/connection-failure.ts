import { isError, messageOf } from '@podwright/errors';
import { getSystemErrorMap } from 'node:util';

const systemErrors = new Map(getSystemErrorMap().values());

/** Why a socket does not accept, as Go's clients say it, because statuses and events of pods show it. */
export function dialFailure(socketPath: string, error: unknown): string {
  const words = isError(error) && 'code' in error ? systemErrors.get(String(error.code)) : undefined;
  return dialing(words === undefined ? messageOf(error) : `dial unix ${socketPath}: connect: ${words}`);
}

/** What grpc-js says of a connection that could not be made or has ended, in the words of Go's clients. */
export function inWordsOfGo(details: string): string {
  if (details === 'Connection dropped') return 'error reading from server: EOF';
  const [, code = '', socketPath] =
    /^No connection established\. Last error: Error: connect (E\w+) (.+)\. Resolution note:/.exec(details) ?? [];
  const words = systemErrors.get(code);
  return words === undefined ? details : dialing(`dial unix ${socketPath}: connect: ${words}`);
}

const dialing = (reason: string): string => `connection error: desc = "transport: Error while dialing: ${reason}"`;
