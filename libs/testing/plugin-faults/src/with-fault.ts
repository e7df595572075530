import { status, type ServerUnaryCall } from '@grpc/grpc-js';
import { StatusError } from '@podwright/grpc';
import type { Clock } from '@podwright/time';
import type { PluginFault } from './plugin-fault.js';

export type RpcCall = Pick<ServerUnaryCall<unknown, unknown>, 'cancelled' | 'once'>;

export interface FaultSurroundings {
  readonly clock: Clock;
  /** Ends the plugin as a killed process ends. */
  readonly die: () => void;
}

/** Does the work of an RPC, and lets the fault happen before or after it. */
export async function withFault<Answer>(
  fault: PluginFault | undefined,
  call: RpcCall,
  work: () => Promise<Answer>,
  surroundings: FaultSurroundings,
): Promise<Answer> {
  if (fault !== undefined && fault.done !== true) await happen(fault, call, surroundings);
  const answer = await work();
  if (fault?.done === true) await happen(fault, call, surroundings);
  return answer;
}

async function happen(fault: PluginFault, call: RpcCall, { clock, die }: FaultSurroundings): Promise<void> {
  switch (fault.type) {
    case 'delay':
      return clock.sleep(fault.delayMs);
    case 'status':
      throw new StatusError(status[fault.status], fault.message ?? 'the driver fails on purpose');
    case 'die':
      die();
      throw await cancelled(call);
    case 'hang':
      throw await cancelled(call);
  }
}

/** Resolves when the caller has given up or the plugin has stopped; nobody reads the answer then. */
function cancelled(call: RpcCall): Promise<StatusError> {
  const gone = new StatusError(status.CANCELLED, 'the caller has gone');
  return new Promise((resolve) => {
    if (call.cancelled) resolve(gone);
    else call.once('cancelled', () => resolve(gone));
  });
}
