import { nodeInside } from '../build/single-executable.js';
import { nodeArchitectures } from '../node/node-pins.js';
import { nodeProgram } from '../node/node-program.js';

/**
 * The Node.js for work that only computes: unit, simulation, API pages. On Linux the one inside our executables,
 * elsewhere that of this process. On Node 20 jest's AsyncLocalStorage doubles the processor time of unit specs.
 */
export async function fasterNode(): Promise<string> {
  const architecture = nodeArchitectures.find((each) => each === process.arch);
  if (architecture === undefined || process.platform !== 'linux') return process.execPath;
  return await nodeProgram(nodeInside, architecture, console.log);
}
