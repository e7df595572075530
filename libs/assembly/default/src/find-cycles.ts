/**
 * Finds cycles in a graph, each as the path of its nodes without the repeated last one. It does not list every cycle,
 * because there may be very many, but every node of a cycle is on a listed cycle or reachable from one.
 */
export function findCycles(needs: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles = new Map<string, readonly string[]>();
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): void => {
    const start = path.indexOf(name);
    if (start !== -1) {
      const cycle = path.slice(start);
      // A cycle entered at another node is the same fault.
      cycles.set([...cycle].sort().join('\n'), cycle);
      return;
    }
    if (done.has(name)) return;
    path.push(name);
    for (const need of new Set(needs.get(name))) visit(need);
    path.pop();
    done.add(name);
  };
  for (const name of needs.keys()) visit(name);
  return [...cycles.values()];
}
