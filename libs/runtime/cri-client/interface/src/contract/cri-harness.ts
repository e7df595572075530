import type {
  ContainerConfig,
  DeepPartial,
  ImageService,
  PodSandboxConfig,
  RuntimeConnection,
  RuntimeService,
} from '../index.js';
import type { RuntimeDifference } from './runtime-differences.js';

/** Behaviour of a container in the suite. The harness provides an image and command for each. */
export type ContractProgram = 'runs-until-stopped' | 'ignores-stop' | 'exits-0' | 'exits-7' | 'runs-out-of-memory';

/** Abilities of a runtime, declared here and never guessed from its name. */
export interface CriCapabilities {
  /** GetContainerEvents works; without it the call must fail with `unimplemented`. */
  readonly containerEvents: boolean;
  /** The harness has `outage`. */
  readonly outage: boolean;
  /** The harness has `pullable`. */
  readonly pull: boolean;
  /** The runtime enforces memory limits and reports OOM kills. */
  readonly outOfMemory: boolean;
  /** Where the runtime answers otherwise than containerd, and the protocol allows both; default none. */
  readonly differences?: readonly RuntimeDifference[];
}

/** A started connection to a runtime where the suite may create and remove pods; one for the whole suite. */
export interface CriHarness {
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly connection: RuntimeConnection;
  /** An image that is present and that the suite does not remove. */
  readonly image: string;
  /** An image that is not present and can be pulled; the suite removes it again. */
  readonly pullable?: string;
  /** Part of each sandbox's config, such as cgroup parent and log directory. */
  readonly sandbox: DeepPartial<PodSandboxConfig>;
  /** Image, command and other config of a container with that behaviour. */
  program(program: ContractProgram): DeepPartial<ContainerConfig>;
  readonly exec: {
    /** Writes `out\n` to stdout and `err\n` to stderr, and exits with 3. */
    readonly speaks: readonly string[];
    /** Runs for a minute at least. */
    readonly hangs: readonly string[];
  };
  /** Stops the runtime and starts it again; containers keep running, as with a restart of containerd. */
  readonly outage?: { begin(): Promise<void>; end(): Promise<void> };
  /** Waits, or advances the virtual clock. */
  pass(ms: number): Promise<void>;
  /** Stops the connection and removes what `create` created. */
  close(): Promise<void>;
}

export interface CriContractSubject {
  readonly capabilities: CriCapabilities;
  create(): Promise<CriHarness>;
}

export function differs({ differences = [] }: CriCapabilities, difference: RuntimeDifference): boolean {
  return differences.includes(difference);
}
