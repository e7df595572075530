import type { ModuleList } from './module-list.js';

type Options = Readonly<Record<string, unknown>>;

/**
 * Warnings about lost options, one for each replaced module. The app sets options by the name of the replaced module,
 * so a replacement with another name does not get them. A `config` in the assembly file, even an empty one, silences
 * the warning.
 */
export function lostOptions(config: Readonly<Record<string, unknown>>, list: ModuleList): readonly string[] {
  const successors = new Map<string, string[]>();
  for (const { module, replaces } of list.modules) {
    if (replaces !== undefined) successors.set(replaces, [...(successors.get(replaces) ?? []), module.name]);
  }
  return [...successors].flatMap(([replaced, names]) => {
    const lost = Object.keys((config[replaced] as Options | undefined) ?? {});
    if (lost.length === 0 || names.some((name) => name === replaced || list.config.has(name))) return [];
    return [
      `${names.join(', ')} replaces ${replaced} and gets none of the options that go by that name: ${lost.join(', ')}; ` +
        'name those it needs below `config` in the assembly file, or an empty one',
    ];
  });
}
