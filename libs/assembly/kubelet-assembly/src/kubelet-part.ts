import type { AnyModule, ConfiguredModule } from '@podwright/assembly-interface';
import type { NodeSettings } from './node-settings.js';

/** What decides whether a kubelet has a part, and with which options. */
export interface PartSettings extends NodeSettings {
  /** The values of the program's own flags, by name. */
  readonly ownFlags: Readonly<Record<string, string>>;
}

/** Modules that a kubelet has instead of others or besides them, and where their options come from. */
export interface KubeletPart {
  /** Default: always. */
  readonly applies?: (settings: Omit<PartSettings, 'facts'>) => boolean;
  /** By the name of the module that each replaces. */
  readonly replacements?: Readonly<Record<string, AnyModule>>;
  readonly additions?: readonly AnyModule[];
  /**
   * Options of these modules, and of others, whose remaining options stay. Feature gates add theirs. The options of a
   * replaced module count no longer.
   */
  readonly options: (settings: PartSettings) => readonly ConfiguredModule[];
  /** Rejects, before anything starts, where another process has what this one would need. */
  readonly beforeStart?: (settings: Pick<PartSettings, 'ownFlags'>) => Promise<void>;
}

/** The module list with the changes of a part: its additions come first, the order of the others stays. */
export function withPart(
  modules: readonly AnyModule[],
  { replacements = {}, additions = [] }: KubeletPart,
): readonly AnyModule[] {
  const names = new Set(modules.map(({ name }) => name));
  const unknown = Object.keys(replacements).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`there is no module ${unknown.join(', ')} to replace`);
  return [...additions, ...modules.map((module) => replacements[module.name] ?? module)];
}
