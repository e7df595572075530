import { nodeInside } from '../build/single-executable.js';
import { nodeArchitectures } from '../node/node-pins.js';
import { nodeProgram } from '../node/node-program.js';

/**
 * The Node.js for specs of logic: the one inside our executables. On Node 20, jest's AsyncLocalStorage costs a third of
 * their processor time. All other tiers run on the Node.js that runs `npm test`.
 */
export async function nodeOfSpecs(): Promise<string> {
  const architecture = nodeArchitectures.find((each) => each === process.arch);
  if (architecture === undefined || process.platform !== 'linux') return process.execPath;
  return await nodeProgram(nodeInside, architecture, console.log);
}
