import { hasCode } from '@podwright/errors';
import type { ObjectReference } from '../client/until-object.js';
import { untilObject } from '../client/until-object.js';
import { CommandError } from '../command-error.js';
import type { CommandContext } from './command.js';

/** The limits of a wait: its signal aborts at the timeout or when the user interrupts. */
export interface WaitLimits {
  readonly signal: AbortSignal;
  /** Throws what a user reads when the signal was the timeout's, and the error itself otherwise. */
  failure(error: unknown, what?: string): unknown;
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Runs a wait with a timeout; without one it is a week, as kubectl has it. */
export async function withTimeout<T>(
  { io }: CommandContext,
  timeoutMs: number | undefined,
  wait: (limits: WaitLimits) => Promise<T>,
): Promise<T> {
  const deadline = io.clock.deadline(timeoutMs ?? weekMs, io.signal);
  const failure = (error: unknown, what?: string): unknown =>
    hasCode(deadline.signal.reason, 'deadline-exceeded')
      ? new CommandError(`timed out waiting for the condition${what === undefined ? '' : ` on ${what}`}`)
      : deadline.signal.aborted
        ? deadline.signal.reason
        : error;
  try {
    return await wait({ signal: deadline.signal, failure });
  } finally {
    deadline.dispose();
  }
}

/** Waits until the object is gone, or another of the same name took its place. */
export async function waitForDeletion(
  { client, io }: CommandContext,
  reference: ObjectReference,
  uid: string | undefined,
  limits: WaitLimits,
): Promise<void> {
  const isGone = (object: { readonly metadata: { readonly uid?: string } } | undefined): boolean =>
    object === undefined || (uid !== undefined && object.metadata.uid !== uid);
  try {
    await untilObject(client, reference, isGone, { clock: io.clock, signal: limits.signal });
  } catch (error) {
    throw limits.failure(error, `${reference.resource.plural}/${reference.name}`);
  }
}
