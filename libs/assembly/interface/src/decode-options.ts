import { KubeletError } from '@podwright/errors';
import type { ConfigSchema } from './config-schema.js';

/**
 * Decodes the options of a plain factory with a module's schema. Throws `invalid-argument` that lists all wrong
 * options: `<what> options: <field> <problem>; ...`.
 */
export function decodeOptions<C>(what: string, schema: ConfigSchema<C>, options: unknown): C {
  const decoded = schema.decode(options);
  if (decoded.ok) return decoded.value;
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`${what} options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
