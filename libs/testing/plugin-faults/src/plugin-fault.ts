import type { status } from '@grpc/grpc-js';

/** What happens to a call. With `done` the plugin first does the call's work. */
export type PluginFault =
  /** Answers with this status. */
  | {
      readonly type: 'status';
      readonly status: Exclude<keyof typeof status, 'OK'>;
      readonly message?: string;
      readonly done?: boolean;
    }
  /** Answers correctly, after this time. */
  | { readonly type: 'delay'; readonly delayMs: number; readonly done?: boolean }
  /** Does not answer until the caller gives up, or the plugin stops. */
  | { readonly type: 'hang'; readonly done?: boolean }
  /** The plugin dies: all calls break, its sockets stay as those of a killed process do. */
  | { readonly type: 'die'; readonly done?: boolean };
