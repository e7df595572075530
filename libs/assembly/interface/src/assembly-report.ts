/** What can be wrong with an assembly. Closed: an assembler reports these and no others. */
export const assemblyFaultKinds = [
  /** The assembly file cannot be read, or a field of it is wrong. */
  'bad-file',
  /** A module named in the file cannot be loaded, or what was loaded is no module. */
  'module-load',
  /** The file replaces, omits or configures a module that is not in the assembly. */
  'unknown-module',
  /** Two modules have one name. */
  'duplicate-module',
  /** A replacement does not provide a token that the replaced module provided. */
  'replacement-lacks',
  /** The file omits a module that another one requires. */
  'required-omitted',
  /** Nobody provides a required token. */
  'unmet-requirement',
  /** Two modules, or a module and the app, provide one token. */
  'second-provider',
  /** Modules require each other in a circle. */
  'cycle',
  /** An option of a module is wrong. */
  'bad-config',
  /** `register` throws, or does not register a token of `provides`. */
  'bad-registration',
  /** A registered class injects a token that is neither in `requires` nor in `optional`. */
  'undeclared-requirement',
] as const;

/** See {@link assemblyFaultKinds}. */
export type AssemblyFaultKind = (typeof assemblyFaultKinds)[number];

/** One fault, in full: the message names module, token, field and value as far as they matter. */
export interface AssemblyFault {
  readonly kind: AssemblyFaultKind;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  readonly module?: string;
  /** Token id, such as `kubelet.pleg/v1`. */
  readonly token?: string;
  /** Path of the wrong field: in the assembly file for `bad-file`, below the module's options for `bad-config`. */
  readonly field?: string;
  readonly value?: unknown;
}

export interface AssemblyNode {
  readonly name: string;
  /** Token ids. */
  readonly provides: readonly string[];
  readonly requires: readonly string[];
  readonly optional: readonly string[];
  /** Length of the longest chain of modules below this one; 0 for a module that needs only values of the app. */
  readonly depth: number;
  /** Name of the module that this one replaces. */
  readonly replaces?: string;
  /** Specifier in the assembly file, for a module that came from there. */
  readonly loadedFrom?: string;
}

export interface AssemblyEdge {
  /** Module that needs. */
  readonly from: string;
  /** Module that provides; not listed for values of the app. */
  readonly to: string;
  readonly token: string;
  readonly optional: boolean;
}

/** The wiring, in the order of start (stop is the reverse). With faults: as far as it can be told. */
export interface AssemblyGraph {
  readonly modules: readonly AssemblyNode[];
  readonly edges: readonly AssemblyEdge[];
  /** Token ids that the app provides as values. */
  readonly values: readonly string[];
}

/** Outcome of a check: nothing was constructed. `ok` means no faults. */
export interface AssemblyReport {
  readonly ok: boolean;
  readonly faults: readonly AssemblyFault[];
  /** What is allowed and may not be meant, a sentence each, for an operator. */
  readonly warnings?: readonly string[];
  readonly graph: AssemblyGraph;
  /** Decoded options by module name, defaults filled in; modules without options are left out. */
  readonly config: Readonly<Record<string, unknown>>;
}
