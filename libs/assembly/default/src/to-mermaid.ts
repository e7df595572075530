import type { AssemblyGraph } from '@podwright/assembly-interface';

/** Renders the graph as a Mermaid flow chart: arrows lead from a module to its provider, dotted when optional. */
export function toMermaid(graph: AssemblyGraph): string {
  const ids = new Map(graph.modules.map(({ name }, index) => [name, `m${index}`]));
  const nodes = graph.modules.map(({ name }) => `  ${ids.get(name)}["${label(name)}"]`);
  const edges = graph.edges.map(({ from, to, token, optional }) => {
    const arrow = optional ? '-.->' : '-->';
    return `  ${ids.get(from)} ${arrow}|"${label(token)}"| ${ids.get(to)}`;
  });
  return `${['flowchart TD', ...nodes, ...edges].join('\n')}\n`;
}

// Module names may come from third-party files, so they are escaped for the renderer.
function label(text: string): string {
  return text.replaceAll(/[^\w@/.:#-]/g, (character) => `#${character.codePointAt(0)};`);
}
