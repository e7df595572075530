import { PluginFaults, type PluginFault } from '@podwright/plugin-faults';

/** Selects calls: those that match in each given field. */
export interface CsiFaultMatch {
  /** The RPC's name in the protocol, such as `NodeStageVolume`. */
  readonly rpc?: string;
  readonly volumeId?: string;
}

/** Makes a driver misbehave. */
export class CsiFaults extends PluginFaults<PluginFault, CsiFaultMatch, Required<CsiFaultMatch>> {
  constructor() {
    super((match, { rpc, volumeId }) => (match.rpc ?? rpc) === rpc && (match.volumeId ?? volumeId) === volumeId);
  }
}
