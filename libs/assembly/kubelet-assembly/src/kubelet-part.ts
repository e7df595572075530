import type { AnyModule, ConfiguredModule } from '@podwright/assembly-interface';
import type { NodeSettings } from './node-settings.js';

/** Modules that a kubelet has instead of others or besides them, and where their options come from. */
export interface KubeletPart {
  /** By the name of the module that each replaces. */
  readonly replacements: Readonly<Record<string, AnyModule>>;
  readonly additions: readonly AnyModule[];
  /** Options of these modules; feature gates add theirs. The options of a replaced module count no longer. */
  readonly options: (settings: NodeSettings) => readonly ConfiguredModule[];
}

/** The module list with the changes of a part: its additions come first, the order of the others stays. */
export function withPart(
  modules: readonly AnyModule[],
  { replacements, additions }: Pick<KubeletPart, 'replacements' | 'additions'>,
): readonly AnyModule[] {
  const names = new Set(modules.map(({ name }) => name));
  const unknown = Object.keys(replacements).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`there is no module ${unknown.join(', ')} to replace`);
  return [...additions, ...modules.map((module) => replacements[module.name] ?? module)];
}
