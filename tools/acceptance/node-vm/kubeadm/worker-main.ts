// Runs in the second machine: brings its end of the cable up and runs the commands that come over it.
import { connectCable } from './cable.js';
import { COMMAND_PORT, worker } from './cluster-shape.js';
import { serveCommands } from './command-port.js';

connectCable(worker)
  .then(() => serveCommands(worker.address, COMMAND_PORT))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  });
