import { decodeOptions, defineModule } from '@podwright/assembly-interface';
import type { RunProgram } from '@podwright/program';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { FileUserNamespaces, userNamespacesNeeds, type UserNamespacesNeeds } from './file-user-namespaces.js';
import { fileUserNamespacesConfigSchema, type FileUserNamespacesConfig } from './file-user-namespaces-config.js';

export const fileUserNamespacesModule = defineModule({
  name: '@podwright/user-namespace',
  provides: [USER_NAMESPACES],
  needs: userNamespacesNeeds,
  config: fileUserNamespacesConfigSchema,
  create: (deps, config) => new FileUserNamespaces(deps, config),
});

/**
 * Creates one without an assembly; `run` replaces how programs are run. Throws `invalid-argument` for options out of
 * range.
 */
export function createFileUserNamespaces(
  { run, ...deps }: UserNamespacesNeeds & { readonly run?: RunProgram },
  options: Partial<FileUserNamespacesConfig> = {},
): FileUserNamespaces {
  return new FileUserNamespaces(deps, decodeOptions('user-namespace', fileUserNamespacesConfigSchema, options), run);
}
