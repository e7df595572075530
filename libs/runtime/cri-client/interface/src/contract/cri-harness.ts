import type {
  ContainerConfig,
  DeepPartial,
  ImageService,
  PodSandboxConfig,
  RuntimeConnection,
  RuntimeService,
} from '../index.js';

/** What a container of the suite does. The harness says by which image and command. */
export type ContractProgram = 'runs-until-stopped' | 'ignores-stop' | 'exits-0' | 'exits-7' | 'runs-out-of-memory';

/** Gaps of a runtime are declared here, never guessed from its name. */
export interface CriCapabilities {
  /** GetContainerEvents works; without it the call must fail with `unimplemented`. */
  readonly containerEvents: boolean;
  /** The harness has `outage`. */
  readonly outage: boolean;
  /** The harness has `pullable`. */
  readonly pull: boolean;
  /** A memory limit is enforced and the end by it is reported. */
  readonly outOfMemory: boolean;
}

/** A started connection to a runtime that the suite may fill and empty. Made once for the whole suite. */
export interface CriHarness {
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly connection: RuntimeConnection;
  /** An image that is present and that the suite does not remove. */
  readonly image: string;
  /** An image that is not present and can be pulled; the suite removes it again. */
  readonly pullable?: string;
  /** Added to each sandbox: cgroup parent, log directory. */
  readonly sandbox: DeepPartial<PodSandboxConfig>;
  /** Image, command and whatever else makes a container do that. */
  program(program: ContractProgram): DeepPartial<ContainerConfig>;
  readonly exec: {
    /** Writes `out` and a newline to its output, `err` and a newline to its errors, and exits with 3. */
    readonly speaks: readonly string[];
    /** Runs for a minute at least. */
    readonly hangs: readonly string[];
  };
  /** Takes the runtime away and brings it back; containers live on, as they do under a restarted containerd. */
  readonly outage?: { begin(): Promise<void>; end(): Promise<void> };
  /** Lets time go on: a real wait, or a move of the virtual clock. */
  pass(ms: number): Promise<void>;
  /** Ends the connection and what `create` made. */
  close(): Promise<void>;
}

export interface CriContractSubject {
  readonly capabilities: CriCapabilities;
  create(): Promise<CriHarness>;
}
