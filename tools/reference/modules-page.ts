import {
  contributedTokens,
  neededTokens,
  providedTokens,
  tokenId,
  type AnyModule,
  type Token,
} from '@podwright/assembly-interface';
import { listPackages } from '../workspace/packages.js';
import { everyKubeletModule, type KubeletModule } from './kubelet-modules.js';

const intro = `# Modules

For those who replace, add or configure a manager: what each module of the kubelet provides, needs and contributes, as ids of tokens. Messages
of the assembly name the same ids. A module that replaces another must provide all that the other provides. \`optional\` lists what a module
uses only if another module provides it.

This page is generated from the modules by \`node tools/bootstrap/run.mjs tools/reference/main.ts\`. \`kubelet assembly print\` shows the list of
one configuration with its options, \`kubelet assembly graph\` its wiring.
`;

/** The text of docs/modules.md. */
export function modulesPage(): string {
  const folders = new Map(listPackages().map(({ name, folder }) => [name, folder]));
  return `${intro}\n${everyKubeletModule()
    .map((entry) => section(entry, folders))
    .join('\n')}`;
}

function section({ module, presence }: KubeletModule, folders: ReadonlyMap<string, string>): string {
  const { requires, optional } = neededTokens(module);
  const folder = folders.get(packageOf(module)) ?? 'libs/assembly/kubelet-assembly';
  const lines = [
    `- in the kubelet: ${presence}; code: [\`${folder}\`](../${folder})`,
    ...list('provides', providedTokens(module)),
    ...list('needs', requires),
    ...list('optional', optional),
    ...list('contributes to', contributedTokens(module)),
  ];
  return `## ${module.name}\n\n${lines.join('\n')}\n`;
}

const packageOf = ({ name }: AnyModule): string => name.replace(/#.*$/, '');

const list = (title: string, tokens: readonly Token<unknown>[]): readonly string[] =>
  tokens.length === 0
    ? []
    : [`- ${title}: ${[...new Set(tokens.map((token) => `\`${tokenId(token)}\``))].sort().join(', ')}`];
