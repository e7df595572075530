import { decodeOptions } from '@podwright/assembly-interface';
import type { RuntimeState } from '@podwright/container-runtime-interface';
import type { Logger } from '@podwright/logging';
import { FileUserNamespaces } from './file-user-namespaces.js';
import { fileUserNamespacesConfigSchema } from './file-user-namespaces-config.js';
import type { FileUserNamespacesConfig } from './file-user-namespaces-config.js';
import { runProgram } from './host-program.js';
import type { RunProgram } from './host-program.js';

export interface FileUserNamespacesDeps {
  readonly runtimeState: Pick<RuntimeState, 'handlers'>;
  readonly logger: Logger;
  /** Runs `getent` and `getsubids`. Default: those in the path. */
  readonly run?: RunProgram;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createFileUserNamespaces(
  { runtimeState, logger, run = runProgram }: FileUserNamespacesDeps,
  options: Partial<FileUserNamespacesConfig> = {},
): FileUserNamespaces {
  const config = decodeOptions('user-namespace', fileUserNamespacesConfigSchema, options);
  return new FileUserNamespaces(runtimeState, run, logger, config);
}
