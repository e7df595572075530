import type { status } from '@grpc/grpc-js';

/** What happens to a call. With `done` the driver first does the call's work. */
export type CsiFault =
  /** Answers with this status. */
  | {
      readonly type: 'status';
      readonly status: Exclude<keyof typeof status, 'OK'>;
      readonly message?: string;
      readonly done?: boolean;
    }
  /** Answers correctly, after this time. */
  | { readonly type: 'delay'; readonly delayMs: number; readonly done?: boolean }
  /** Does not answer until the caller gives up, or the driver stops. */
  | { readonly type: 'hang'; readonly done?: boolean }
  /** The driver dies: all calls break, its sockets stay as those of a killed process do. `start()` revives it. */
  | { readonly type: 'die'; readonly done?: boolean };

/** Selects calls: those that match in each given field. */
export interface CsiFaultMatch {
  /** The RPC's name in the protocol, such as `NodeStageVolume`. */
  readonly rpc?: string;
  readonly volumeId?: string;
}
