import type { AnyModule } from '@podwright/assembly-interface';
import { apiPodsModule } from '@podwright/pod-config';
import { apiMirrorPodsModule } from '@podwright/pod-manager';
import { apiStatusModule } from '@podwright/status';

/**
 * What an API server changes: modules that take the place of those that do without one (by the name of the module that
 * goes), and modules that come in addition.
 */
export const clusterReplacements: Readonly<Record<string, AnyModule>> = {
  '@podwright/status': apiStatusModule,
};
export const clusterAdditions: readonly AnyModule[] = [apiPodsModule, apiMirrorPodsModule];

/** The list for a kubelet with an API server, made from the one without; the order of the list stays. */
export function withCluster(
  modules: readonly AnyModule[],
  replacements = clusterReplacements,
  additions = clusterAdditions,
): readonly AnyModule[] {
  const names = new Set(modules.map(({ name }) => name));
  const unknown = Object.keys(replacements).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`there is no module ${unknown.join(', ')} to replace`);
  return [...additions, ...modules.map((module) => replacements[module.name] ?? module)];
}
