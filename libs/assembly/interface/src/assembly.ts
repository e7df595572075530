import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { AssemblyGraph, AssemblyReport } from './assembly-report.js';
import type { Health, Lifecycle } from './lifecycle.js';
import type { AnyModule } from './module.js';
import type { Token } from './token.js';

/** A value that the app puts into the assembly; see {@link provideValue}. */
export type TokenValue = readonly [Token<unknown>, unknown];

/** Types a value of {@link AssemblyOptions.values}. */
export function provideValue<T>(token: Token<T>, value: T): TokenValue {
  return [token, value];
}

export interface AssemblyOptions {
  readonly modules: readonly AnyModule[];
  /** Modules that are not part of the assembly but can be named in the file without being installed beside it. */
  readonly known?: readonly AnyModule[];
  /** Values of the app by token. CLOCK and LOGGER come from the options below when they are not among them. */
  readonly values?: Iterable<TokenValue>;
  /** Options by module name. Those in the assembly file are laid over them, option by option. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Path of an assembly file. */
  readonly assemblyFile?: string | undefined;
  /** Each module gets it with a `logger` field that names the module. */
  readonly logger: Logger;
  readonly clock: Clock;
  /** Longest wait for the stop of one manager, milliseconds. Default 10000. */
  readonly stopTimeoutMs?: number;
}

/** Health of one module, of all its instances that can tell. */
export interface ModuleHealth {
  readonly module: string;
  readonly health: Health;
}

/**
 * Everything constructed, nothing started. `start()` starts each lifecycle in the order of the graph; when one fails,
 * what was started is stopped in reverse and the rejection names the module. `stop()` stops in reverse, gives each
 * manager a limited time, and never rejects. Both may be called twice and concurrently; after `stop()` there is no new start.
 */
export interface Assembly extends Lifecycle {
  /** The instance behind a token that a module or the app provides. Throws `not-found` for any other. */
  get<T>(token: Token<T>): T;
  graph(): AssemblyGraph;
  /** Modules that have something to say about their health, in the order of start. Never throws. */
  health(): readonly ModuleHealth[];
}

/** Puts modules together. */
export interface Assembler {
  /** Finds all faults without constructing anything. Rejects only for faults of the assembler itself. */
  check(options: AssemblyOptions): Promise<AssemblyReport>;
  /** Checks and constructs. Rejects with `failed-precondition`, all faults in the message, when there are any. */
  assemble(options: AssemblyOptions): Promise<Assembly>;
}
