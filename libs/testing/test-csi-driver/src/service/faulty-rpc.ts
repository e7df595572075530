import { status, type ServerUnaryCall } from '@grpc/grpc-js';
import { StatusError } from '@podwright/grpc';
import type { Clock } from '@podwright/time';
import type { CallLog } from '../calls/call-log.js';
import type { CsiFault } from '../faults/csi-fault.js';
import type { CsiFaults } from '../faults/csi-faults.js';

export interface RpcSurroundings {
  readonly calls: CallLog;
  readonly faults: CsiFaults;
  readonly clock: Clock;
  readonly die: () => void;
}

type RpcCall = Pick<ServerUnaryCall<unknown, unknown>, 'cancelled' | 'once'>;

/** Wraps the work of an RPC: notes the call, and lets the fault happen that was asked for. */
export function faultyRpc<Request extends object, Answer>(
  rpc: string,
  work: (request: Request) => Promise<Answer>,
  surroundings: RpcSurroundings,
): (request: Request, call: RpcCall) => Promise<Answer> {
  const { calls, faults } = surroundings;
  return async (request, call) => {
    const volumeId = 'volumeId' in request ? String(request.volumeId) : '';
    const end = calls.begin(rpc, volumeId, request);
    const fault = faults.take(rpc, volumeId);
    try {
      if (fault !== undefined && fault.done !== true) await happen(fault, call, surroundings);
      const answer = await work(request);
      if (fault?.done === true) await happen(fault, call, surroundings);
      end('OK');
      return answer;
    } catch (error) {
      end(error instanceof StatusError ? status[error.code] : 'UNKNOWN');
      throw error;
    }
  };
}

async function happen(fault: CsiFault, call: RpcCall, { clock, die }: RpcSurroundings): Promise<void> {
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

/** Resolves when the caller has given up or the driver has stopped; nobody reads the answer then. */
function cancelled(call: RpcCall): Promise<StatusError> {
  const gone = new StatusError(status.CANCELLED, 'the caller has gone');
  return new Promise((resolve) => {
    if (call.cancelled) resolve(gone);
    else call.once('cancelled', () => resolve(gone));
  });
}
