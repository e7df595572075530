import { status } from '@grpc/grpc-js';
import { StatusError } from '@podwright/grpc';
import { withFault, type FaultSurroundings, type RpcCall } from '@podwright/plugin-faults';
import type { CallLog } from '../calls/call-log.js';
import type { CsiFaults } from '../faults/csi-faults.js';

export interface RpcSurroundings extends FaultSurroundings {
  readonly calls: CallLog;
  readonly faults: CsiFaults;
}

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
    try {
      const answer = await withFault(faults.take({ rpc, volumeId }), call, () => work(request), surroundings);
      end('OK');
      return answer;
    } catch (error) {
      end(error instanceof StatusError ? (status[error.code] ?? String(error.code)) : 'UNKNOWN');
      throw error;
    }
  };
}
