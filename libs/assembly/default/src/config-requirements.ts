import { tokenId, type AnyModule, type AssemblyFault, type NeedMap, type Token } from '@podwright/assembly-interface';
import { unmetRequirement, whoProvides } from './module-graph.js';

/** Faults for the optional needs that a module's options make required, and that nobody provides. */
export function requirementsOfConfig(
  module: AnyModule,
  config: unknown,
  isProvided: (token: Token<unknown>) => boolean,
  known: readonly AnyModule[],
): readonly AssemblyFault[] {
  const asked = (module.requiredBy?.(config) ?? {}) as Readonly<Record<string, string | undefined>>;
  const needs = (module.needs ?? {}) as NeedMap;
  return Object.entries(asked).flatMap(([name, asker]) => {
    const need = needs[name];
    if (need === undefined || asker === undefined) return [];
    const token = typeof need === 'symbol' ? need : need.optional;
    if (isProvided(token)) return [];
    return [
      {
        ...unmetRequirement(module, token),
        message: `${module.name}: ${asker} requires ${tokenId(token)}, which nobody provides`,
        hint: `${whoProvides(token, known)}, or leave out ${asker}`,
      },
    ];
  });
}
