import type { ApiStatus } from '@podwright/kube-types';
import { messageOf } from '@podwright/errors';
import { ApiError } from './client/api-error.js';
import { CommandError, CommandErrors } from './command-error.js';

/** What a failed command prints to stderr, and the code that it ends with. */
export interface Failure {
  readonly text: string;
  readonly exitCode: number;
}

/** Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go checkErr. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandErrors) {
    return { text: error.errors.map((each) => `${plain(each)}\n`).join(''), exitCode: 1 };
  }
  if (error instanceof ApiError && error.status.reason === 'Invalid') {
    return { text: invalidMessage(error.status), exitCode: 1 };
  }
  const exitCode = error instanceof CommandError ? (error.options.exitCode ?? 1) : 1;
  const text = single(error);
  return { text: text === '' ? '' : `${text}\n`, exitCode };
}

/** One of several errors; these have no `error: `. */
function plain(error: unknown): string {
  return error instanceof ApiError ? apiMessage(error.status) : messageOf(error);
}

function single(error: unknown): string {
  const message = plain(error);
  if (error instanceof ApiError) return message;
  if (error instanceof CommandError && error.options.bare === true) return message;
  return message.startsWith('error: ') ? message : `error: ${message}`;
}

function apiMessage({ reason, message }: ApiStatus): string {
  if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`;
  return reason === undefined || reason === ''
    ? `Error from server: ${message}`
    : `Error from server (${reason}): ${message}`;
}

function invalidMessage({ details, message }: ApiStatus): string {
  if (details === undefined) return `The request is invalid${message === undefined ? '' : `: ${message}`}\n`;
  const causes = [...new Set((details.causes ?? []).map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`))];
  const isNamed = (details.kind ?? '') !== '' || (details.name ?? '') !== '';
  const subject = isNamed
    ? `The ${details.kind ?? ''} ${JSON.stringify(details.name ?? '')} is invalid`
    : 'The request is invalid';
  if (causes.length === 0) return isNamed || message === undefined ? `${subject}\n` : `${subject}: ${message}\n`;
  if (causes.length === 1) return `${subject}: ${causes[0] ?? ''}\n`;
  return `${subject}: \n${causes.map((cause) => `* ${cause}\n`).join('')}`;
}
