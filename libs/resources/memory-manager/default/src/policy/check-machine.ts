import { KubeletError } from '@podwright/errors';
import type { MemoryBlock } from '@podwright/memory-manager-interface';
import { charge, sameNodes, sumOver, type MachineMemory } from '../state/machine-memory.js';
import type { MemoryState } from '../state/memory-state.js';

/**
 * Fills a state that is new; throws `failed-precondition` with upstream's text for one that does not add up on this machine.
 * `unused` makes a fresh machine. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/policy_static.go validateState.
 */
export function checkMachine(state: MemoryState, unused: () => MachineMemory, podLevel: boolean): void {
  if (state.machine.size === 0) {
    if (state.assignments().size > 0) throw fault('machine state can not be empty when it has memory assignments');
    state.machine = unused();
    state.changed();
    return;
  }
  const expected = unused();
  for (const [pod, containers] of state.assignments()) {
    const whole = podLevel ? (state.ofPod(pod) ?? []) : [];
    if (whole.length > 0) replay(expected, whole, pod, '');
    else for (const [container, blocks] of containers) replay(expected, blocks, pod, container);
  }
  if (!areAlike(state.machine, expected)) throw fault('the expected machine state is different from the real one');
}

function replay(machine: MachineMemory, blocks: readonly MemoryBlock[], pod: string, container: string): void {
  for (const { numaNodes, type, bytes } of blocks) {
    const who = `(pod: ${pod}, container: ${container}) the memory assignment uses`;
    for (const id of numaNodes) {
      const node = machine.get(id);
      if (node === undefined) throw fault(`${who} the NUMA that does not exist`);
      if (!node.memoryMap.has(type)) throw fault(`${who} memory resource that does not exist`);
    }
    charge(machine, numaNodes, type, bytes);
  }
}

/** What is free may be spread otherwise over the nodes of a group: that depends on the order of what came and went. */
function areAlike(real: MachineMemory, expected: MachineMemory): boolean {
  if (real.size !== expected.size) return false;
  for (const [id, node] of real) {
    const other = expected.get(id);
    if (other === undefined || node.numberOfAssignments !== other.numberOfAssignments) return false;
    if (!sameNodes(node.cells, other.cells) || node.memoryMap.size !== other.memoryMap.size) return false;
    for (const [name, memory] of node.memoryMap) {
      const wanted = other.memoryMap.get(name);
      if (wanted === undefined) return false;
      const fixed = (['total', 'systemReserved', 'allocatable'] as const).every((key) => memory[key] === wanted[key]);
      const moving = (['free', 'reserved'] as const).every(
        (what) => sumOver(real, node.cells, name, what) === sumOver(expected, node.cells, name, what),
      );
      if (!fixed || !moving) return false;
    }
  }
  return true;
}

function fault(message: string): KubeletError {
  return new KubeletError(`[memorymanager] ${message}`, { code: 'failed-precondition' });
}
