import type { Container } from '@podwright/kube-types';
import type { ContainerRuntime } from '../container-runtime.js';

/** Behaviour of a container in the suite; `stops-slowly` ends one second after its stop signal. */
export type ContractProgram = 'runs-until-stopped' | 'stops-slowly' | 'exits-0' | 'exits-7';

export interface ContainerRuntimeHarness {
  readonly runtime: ContainerRuntime;
  /** Image and command of a program; the contract adds the name. */
  program(program: ContractProgram): Partial<Container>;
  /** Waits, or advances the virtual clock. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}
