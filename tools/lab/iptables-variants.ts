import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { findBinaries } from './binaries.js';
import { tryCommand } from './commands.js';

/** An iptables that works on this kernel. */
export interface IptablesVariant {
  readonly name: 'nft' | 'legacy';
  /** With which `iptables` and `ip6tables` are this variant. */
  readonly env: NodeJS.ProcessEnv;
}

/** Links the programs of each variant that works into a folder below `dir`. */
export async function iptablesVariants(dir: string): Promise<readonly IptablesVariant[]> {
  const { iptables, libraryPath } = await findBinaries({ series: '2', registry: false, log: () => undefined });
  const libraries = iptables && {
    LD_LIBRARY_PATH: libraryPath.join(':'),
    XTABLES_LIBDIR: iptables.extensions,
  };
  const variants: IptablesVariant[] = [];
  for (const name of ['nft', 'legacy'] as const) {
    const program = `xtables-${name}-multi`;
    const file = iptables?.programs.find((candidate) => candidate.endsWith(program)) ?? `/usr/sbin/${program}`;
    const tools = path.join(dir, name);
    await mkdir(tools);
    for (const link of ['iptables', 'ip6tables']) await symlink(file, path.join(tools, link));
    const env = { ...process.env, ...libraries, PATH: `${tools}:${process.env['PATH'] ?? ''}` };
    const works = await Promise.all(
      ['iptables', 'ip6tables'].map((link) =>
        tryCommand('unshare', ['--net', path.join(tools, link), '-t', 'nat', '-S'], { env }),
      ),
    );
    if (works.every(({ code }) => code === 0)) variants.push({ name, env });
  }
  return variants;
}
