import type { AssemblyGraph } from '@podwright/assembly-interface';

/** The wiring as a Mermaid flow chart: an arrow goes from who needs to who provides, dotted when optional. */
export function toMermaid(graph: AssemblyGraph): string {
  const ids = new Map(graph.modules.map(({ name }, index) => [name, `m${index}`]));
  const nodes = graph.modules.map(({ name }) => `  ${ids.get(name)}["${label(name)}"]`);
  const edges = graph.edges.map(({ from, to, token, optional }) => {
    const arrow = optional ? '-.->' : '-->';
    return `  ${ids.get(from)} ${arrow}|"${label(token)}"| ${ids.get(to)}`;
  });
  return `${['flowchart TD', ...nodes, ...edges].join('\n')}\n`;
}

// Names come from files of other people and end up in a renderer.
function label(text: string): string {
  return text.replaceAll(/[^\w@/.:#-]/g, (character) => `#${character.codePointAt(0)};`);
}
