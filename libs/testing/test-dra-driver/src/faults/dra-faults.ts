import { PluginFaults, type PluginFault } from '@podwright/plugin-faults';

/** What happens to a call. The last three answer the call, but not as they should. */
export type DraFault =
  | PluginFault
  /** Answers with this error for each claim of the call. */
  | { readonly type: 'claim-error'; readonly message: string }
  /** Leaves out all claims. */
  | { readonly type: 'skip-claims' }
  /** Answers for a claim that nobody asked about, too. */
  | { readonly type: 'unknown-claim' };

/** Selects calls: those that match in each given field. */
export interface DraFaultMatch {
  readonly rpc?: 'NodePrepareResources' | 'NodeUnprepareResources';
  /** Name of a claim that the call contains. */
  readonly claim?: string;
}

/** A call as rules see it. */
export interface DraCall {
  readonly rpc: NonNullable<DraFaultMatch['rpc']>;
  /** Names of its claims. */
  readonly claims: readonly string[];
}

/** Makes a driver misbehave. */
export class DraFaults extends PluginFaults<DraFault, DraFaultMatch, DraCall> {
  constructor() {
    super(
      (match, { rpc, claims }) =>
        (match.rpc ?? rpc) === rpc && (match.claim === undefined || claims.includes(match.claim)),
    );
  }
}
