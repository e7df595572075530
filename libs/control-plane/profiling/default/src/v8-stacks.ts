import type { HeapProfiler, Profiler, Runtime } from 'node:inspector';
import type { ProfileFrame, ProfileSample } from './profile-message.js';

/** The stacks of a CPU profile: the number of samples and the nanoseconds of each. */
export function* cpuStacks(profile: Profiler.Profile): Generator<ProfileSample> {
  const parents = new Map<number, Profiler.ProfileNode>();
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node);
  const spentUs = new Map<number, { count: number; us: number }>();
  (profile.samples ?? []).forEach((id, index) => {
    const known = spentUs.get(id) ?? { count: 0, us: 0 };
    known.count += 1;
    known.us += Math.max(0, profile.timeDeltas?.[index] ?? 0);
    spentUs.set(id, known);
  });
  for (const [id, { count, us }] of spentUs) {
    const stack: ProfileFrame[] = [];
    for (let node = byId.get(id); node !== undefined; node = parents.get(node.id)) {
      if (node.callFrame.functionName !== '(root)') stack.push(frameOf(node.callFrame));
    }
    // Idle time is no CPU usage.
    if (stack[0]?.functionName === '(idle)') continue;
    yield { stack, values: [count, us * 1000] };
  }
}

/** V8's format; Node's types lack the samples and the ids of nodes. */
export interface HeapProfile {
  readonly head: HeapNode;
  readonly samples: readonly { readonly nodeId: number }[];
}

interface HeapNode extends Pick<HeapProfiler.SamplingHeapProfileNode, 'callFrame' | 'selfSize'> {
  readonly id: number;
  readonly children: readonly HeapNode[];
}

/** The stacks that allocated: the number of samples, which is the minimum number of objects, and their bytes. */
export function* heapStacks({ head, samples }: HeapProfile): Generator<ProfileSample> {
  const counts = new Map<number, number>();
  for (const { nodeId } of samples) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
  // Without recursion, because the profiled code determines the depth of a stack.
  const waiting = [{ node: head, above: [] as readonly ProfileFrame[] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, above } = next;
    const isRoot = node.callFrame.functionName === '(root)';
    const stack = isRoot ? above : [frameOf(node.callFrame), ...above];
    if (node.selfSize > 0) yield { stack, values: [counts.get(node.id) ?? 1, node.selfSize] };
    for (const child of node.children) waiting.push({ node: child, above: stack });
  }
}

const frameOf = ({ functionName, url, lineNumber }: Runtime.CallFrame): ProfileFrame => ({
  functionName: functionName === '' ? '(anonymous)' : functionName,
  file: url,
  // V8 counts lines from 0.
  line: Math.max(0, lineNumber + 1),
});
