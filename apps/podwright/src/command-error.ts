/** A fault that ends the command. The message is printed as it is, after `error: ` unless `bare`. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly options: { readonly exitCode?: number; readonly bare?: boolean } = {},
  ) {
    super(message);
    this.name = 'CommandError';
  }
}

/** The value of an option is wrong; the command line adds where the help is. */
export class FlagError extends CommandError {}

/** Several faults, such as one per name that was asked for; each is printed on its own line. */
export class CommandErrors extends Error {
  constructor(readonly errors: readonly unknown[]) {
    super('several errors');
    this.name = 'CommandErrors';
  }
}

/** A wrong use of a command; the message is followed by where its help is. */
export function usageError(command: string, message: string): CommandError {
  return new CommandError(`${message}\nSee 'podwright ${command} -h' for help and examples`);
}

/** Throws what was collected: nothing, one error, or all of them. */
export function throwCollected(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new CommandErrors(errors);
}
