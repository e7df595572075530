import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { AssemblyGraph, AssemblyReport } from './assembly-report.js';
import type { Health, Lifecycle } from './lifecycle.js';
import type { AnyModule } from './module.js';
import type { Token } from './token.js';

/** A value that the app provides to the assembly; see {@link provideValue}. */
export type TokenValue = readonly [Token<unknown>, unknown];

/** Makes an entry of {@link AssemblyOptions.values} whose type is checked. */
export function provideValue<T>(token: Token<T>, value: T): TokenValue {
  return [token, value];
}

export interface AssemblyOptions {
  readonly modules: readonly AnyModule[];
  /** Modules that are not part of the assembly, but that the assembly file can name without installing them. */
  readonly known?: readonly AnyModule[];
  /** Values of the app by token. CLOCK and LOGGER default to `clock` and `logger` below. */
  readonly values?: Iterable<TokenValue>;
  /** Options by module name. Each option in the assembly file overrides the one here. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Path of an assembly file. */
  readonly assemblyFile?: string | undefined;
  /** Each module gets this logger with a `logger` field that names the module. */
  readonly logger: Logger;
  readonly clock: Clock;
  /** The longest wait for one manager to stop, in milliseconds. Default 10000. */
  readonly stopTimeoutMs?: number;
}

/** The health of one module: of all its instances that are a HealthReporter. */
export interface ModuleHealth {
  readonly module: string;
  readonly health: Health;
}

/**
 * A constructed assembly, not started yet. `start()` starts each lifecycle in start order; when one fails, it stops
 * those already started in reverse order and rejects with the module's name. `stop()` stops in reverse order, gives
 * each manager a limited time, and never rejects. Both may be called twice and concurrently. It cannot be started again
 * after `stop()`.
 */
export interface Assembly extends Lifecycle {
  /** The instance that a module or the app provides for a token. Throws `not-found` for any other token. */
  get<T>(token: Token<T>): T;
  graph(): AssemblyGraph;
  /** The health of each module that reports it, in start order. Never throws. */
  health(): readonly ModuleHealth[];
}

/** Checks and constructs assemblies of modules. */
export interface Assembler {
  /**
   * Finds all faults without constructing anything. Faults are in the report; it rejects only for bugs of the
   * assembler.
   */
  check(options: AssemblyOptions): Promise<AssemblyReport>;
  /** Checks and constructs an assembly. Rejects with `failed-precondition` and all faults in the message. */
  assemble(options: AssemblyOptions): Promise<Assembly>;
}
