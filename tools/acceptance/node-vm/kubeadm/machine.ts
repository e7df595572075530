import type { CommandResult } from '@podwright/lab';
import { COMMAND_PORT, type MachineShape } from './cluster-shape.js';
import { obey, sendCommand, type MachineCommand } from './command-port.js';

/** One of the two machines. The cases run on the control plane's. */
export class Machine {
  private constructor(
    readonly shape: MachineShape,
    private readonly carryOut: (command: MachineCommand) => Promise<CommandResult>,
  ) {}

  static here(shape: MachineShape): Machine {
    return new Machine(shape, obey);
  }

  /** The machine at the other end of the cable, where `worker-main.ts` runs. */
  static there(shape: MachineShape): Machine {
    return new Machine(shape, (command) => sendCommand(shape.address, COMMAND_PORT, command));
  }

  /** Resolves with standard output. Rejects with all output when the program fails. */
  run(program: string, ...args: readonly string[]): Promise<string> {
    return this.feed('', program, ...args);
  }

  /** Like {@link run}, with text on standard input. */
  async feed(input: string, program: string, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.carryOut({ program, args, input });
    if (code === 0) return stdout;
    throw new Error(`${this.shape.name}: ${program} ${args.join(' ')} exited with ${code}:\n${stdout}\n${stderr}`);
  }

  async write(file: string, text: string, mode = '0644'): Promise<void> {
    const script = 'mkdir -p "$(dirname "$1")" && cat > "$1" && chmod "$2" "$1"';
    await this.feed(text, 'sh', '-c', script, 'sh', file, mode);
  }
}
