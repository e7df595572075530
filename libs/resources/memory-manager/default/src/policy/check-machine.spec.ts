import { describe, expect, it } from '@jest/globals';
import { charge, unusedMemory, type MachineMemory } from '../state/machine-memory.js';
import { MemoryState } from '../state/memory-state.js';
import { checkMachine } from './check-machine.js';

const nodes = [0, 1].map((id) => ({ id, memoryBytes: 100, hugePages: [], cores: [] }));
const twoNodes = (): MachineMemory => unusedMemory({ nodes, cpuCount: 0, socketCount: 1 }, new Map());

describe('a stored machine', () => {
  const block = (bytes: number, type = 'memory', ...numaNodes: number[]) => ({ numaNodes, type, bytes });
  function stored(change: (machine: MachineMemory, state: MemoryState) => void): MemoryState {
    const state = new MemoryState();
    state.machine = twoNodes();
    charge(state.machine, [0, 1], 'memory', 150);
    state.set('u', 'a', [block(150, 'memory', 0, 1)]);
    change(state.machine, state);
    return state;
  }
  const table = (machine: MachineMemory, id: number): { total: number; free: number; reserved: number } =>
    machine.get(id)?.memoryMap.get('memory') as { total: number; free: number; reserved: number };
  const at = 'NUMA node 0';

  it('is a new one when there was none', () => {
    const state = new MemoryState();
    checkMachine(state, twoNodes, false);
    expect(state.machine).toEqual(twoNodes());
  });

  it.each<[string, (machine: MachineMemory, state: MemoryState) => void]>([
    ['as it must be', () => undefined],
    [
      'with another distribution within a group',
      (machine) => {
        Object.assign(table(machine, 0), { free: 50, reserved: 50 });
        Object.assign(table(machine, 1), { free: 0, reserved: 100 });
      },
    ],
  ])('%s is taken', (_, change) => {
    expect(() => checkMachine(stored(change), twoNodes, false)).not.toThrow();
  });

  it('counts the memory of a whole pod once, and only with the gate', () => {
    const whole = stored((_, state) => {
      state.set('u', 'a', [block(90, 'memory', 0, 1)]);
      state.set('u', 'b', [block(60, 'memory', 0, 1)]);
      state.setPod('u', [block(150, 'memory', 0, 1)]);
    });
    expect(() => checkMachine(whole, twoNodes, true)).not.toThrow();
    expect(() => checkMachine(whole, twoNodes, false)).toThrow('the expected machine state is different');
  });

  it.each<[(machine: MachineMemory, state: MemoryState) => void, string]>([
    [(machine) => machine.clear(), 'machine state can not be empty when it has memory assignments'],
    [
      (_, state) => state.set('u', 'b', [block(1, 'memory', 7)]),
      '(pod: u, container: b) the memory assignment uses the NUMA that does not exist',
    ],
    [
      (_, state) => state.set('u', 'b', [block(1, 'hugepages-2Mi', 0)]),
      '(pod: u, container: b) the memory assignment uses memory resource that does not exist',
    ],
    [
      (_, state) => state.setPod('u', [block(1, 'memory', 7)]),
      '(pod: u, container: ) the memory assignment uses the NUMA that does not exist',
    ],
  ])('with assignments of another machine is refused, case %#', (change, message) => {
    expect(() => checkMachine(stored(change), twoNodes, true)).toThrow(
      expect.objectContaining({ message: `[memorymanager] ${message}`, code: 'failed-precondition' }),
    );
  });

  it.each<[(machine: MachineMemory) => void, string]>([
    [(machine) => void machine.delete(1), 'number of NUMA nodes is stored as 1, expected 2'],
    [
      (machine) => {
        machine.set(7, { numberOfAssignments: 0, memoryMap: new Map(), cells: [7] });
        machine.delete(0);
      },
      'NUMA node 7 does not exist',
    ],
    [
      (machine) => void machine.get(0)?.memoryMap.set('x', { ...machine.get(0)!.memoryMap.get('memory')! }),
      `${at}: resources is stored as ["memory","x"], expected ["memory"]`,
    ],
    [
      (machine) => {
        const { memoryMap } = machine.get(0)!;
        memoryMap.set('x', { ...memoryMap.get('memory')! });
        memoryMap.delete('memory');
      },
      `${at}: resource x does not exist`,
    ],
    [
      (machine) => void (table(machine, 0).free += 1),
      `${at} and its group: free of memory is stored as 51, expected 50`,
    ],
    [
      (machine) => void (table(machine, 1).reserved += 1),
      `${at} and its group: reserved of memory is stored as 151, expected 150`,
    ],
  ])('that differs is refused, and says where, case %#', (change, difference) => {
    const state = stored((machine) => change(machine));
    if (difference.startsWith('NUMA node 7')) state.machine = new Map([...state.machine].reverse());
    expect(() => checkMachine(state, twoNodes, false)).toThrow(
      expect.objectContaining({
        message: '[memorymanager] the expected machine state is different from the real one',
        code: 'failed-precondition',
        cause: expect.objectContaining({ message: difference }),
      }),
    );
  });
});
