import { CommandError } from '../../command-error.js';

export function pathFault(message: string): CommandError {
  return new CommandError(`error parsing jsonpath: ${message}`);
}
