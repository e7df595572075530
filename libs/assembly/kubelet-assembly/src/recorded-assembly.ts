import { isFilePath, readAssemblyFile, type AssemblyChange } from '@podwright/assembly';
import type { AssemblyOptions } from '@podwright/assembly-interface';

type Entry = Readonly<Record<string, unknown>>;

/** What a recording keeps of an assembly file: its entries, without options that only this machine or an outsider knows. */
export async function recordedAssembly({
  assemblyFile,
  modules,
  known = [],
}: Pick<AssemblyOptions, 'assemblyFile' | 'modules' | 'known'>): Promise<readonly Entry[]> {
  if (assemblyFile === undefined) return [];
  const shipped = new Set([...modules, ...known].map(({ name }) => name));
  // `assemble` reports the faults of the file.
  const { changes } = await readAssemblyFile(assemblyFile);
  return changes.map((change) => entryOf(change, shipped));
}

function entryOf(change: AssemblyChange, shipped: ReadonlySet<string>): Entry {
  switch (change.kind) {
    case 'omit':
      return { omit: change.name };
    case 'configure':
      return { name: change.name, ...(shipped.has(change.name) && { config: kept(change.config) }) };
    case 'add':
      return { add: change.specifier };
    case 'replace': {
      const { name, specifier, config = {} } = change;
      const isShipped = !isFilePath(specifier) && shipped.has(specifier);
      return { replace: name, with: specifier, ...(isShipped && { config: kept(config) }) };
    }
  }
}

/** Options of a module of ours hold no secret, but paths, sockets and addresses, which a replay must not touch. */
const kept = (options: Entry): Entry =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => !isPlace(value)));

const isPlace = (value: unknown): boolean =>
  typeof value === 'string' ? /^\/|^\.|:\/\/|:\d+$/.test(value) : typeof value === 'object' && value !== null;
