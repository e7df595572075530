import { KubeletError, messageOf } from '@podwright/errors';
import { parseBool } from './flags/flag-kinds.js';

/** Parses a boolean option of a CPU or topology manager policy. Throws `invalid-argument` in upstream's words. */
export function booleanPolicyOption(name: string, value: string): boolean {
  try {
    return parseBool(value);
  } catch (error) {
    const message = `bad value for option ${JSON.stringify(name)}: ${messageOf(error)}`;
    throw new KubeletError(message, { code: 'invalid-argument', cause: error });
  }
}
