/** All kinds of faults of an assembly; an assembler reports no others. */
export const assemblyFaultKinds = [
  /** The assembly file cannot be read, or a field of it is wrong. */
  'bad-file',
  /** A file or package that the assembly file names cannot be loaded, or has no module. */
  'module-load',
  /** The file replaces, omits or configures a module that is not in the assembly. */
  'unknown-module',
  /** Two modules have the same name. */
  'duplicate-module',
  /** A replacement does not provide a token that the replaced module provided. */
  'replacement-lacks',
  /** The file omits a module that another module requires. */
  'required-omitted',
  /** Neither a module nor the app provides a required token. */
  'unmet-requirement',
  /** Two modules, or a module and the app, provide the same token. */
  'second-provider',
  /** Modules need each other in a cycle. */
  'cycle',
  /** An option of a module is wrong. */
  'bad-config',
  /** A module provides a many-token, to which it can only contribute, contributes to a token that is none, or decorates one. */
  'wrong-token',
] as const;

/** See {@link assemblyFaultKinds}. */
export type AssemblyFaultKind = (typeof assemblyFaultKinds)[number];

/** One fault. The message names module, token, field and value where they matter. */
export interface AssemblyFault {
  readonly kind: AssemblyFaultKind;
  readonly message: string;
  /** How to fix it. */
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
  /** Ids of the many-tokens to which this module contributes. */
  readonly contributes: readonly string[];
  /** Ids of the tokens that this module wraps; absent when there are none. */
  readonly decorates?: readonly string[];
  /** Length of the longest chain of modules that this one needs; 0 for a module that needs only values of the app. */
  readonly depth: number;
  /** Name of the module that this one replaces. */
  readonly replaces?: string;
  /** The specifier in the assembly file, for a module that the file has added. */
  readonly loadedFrom?: string;
}

export interface AssemblyEdge {
  /** The module that needs the token. */
  readonly from: string;
  /** The module that provides the token or contributes to it. Values of the app have no edges. */
  readonly to: string;
  readonly token: string;
  /** True when the provider may be absent: for an optional need, and for a contribution to a many-token. */
  readonly optional: boolean;
}

/** The modules in start order (they stop in reverse) and what they need. Incomplete when there are faults. */
export interface AssemblyGraph {
  readonly modules: readonly AssemblyNode[];
  readonly edges: readonly AssemblyEdge[];
  /** Token ids that the app provides as values. */
  readonly values: readonly string[];
}

/** The outcome of a check, which constructs nothing. `ok` means that there are no faults. */
export interface AssemblyReport {
  readonly ok: boolean;
  readonly faults: readonly AssemblyFault[];
  /** Warnings for the operator, a sentence each: allowed, but perhaps unintended. */
  readonly warnings?: readonly string[];
  readonly graph: AssemblyGraph;
  /** Decoded options by module name, with defaults; without modules that have no options. */
  readonly config: Readonly<Record<string, unknown>>;
}
