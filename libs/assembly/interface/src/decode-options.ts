import { KubeletError } from '@podwright/errors';
import type { ConfigSchema } from './config-schema.js';

/**
 * Options of a plain factory, checked as those of a module are. Throws `invalid-argument` with every wrong option at once:
 * `<what> options: <field> <problem>; ...`.
 */
export function decodeOptions<C>(what: string, schema: ConfigSchema<C>, options: unknown): C {
  const decoded = schema.decode(options);
  if (decoded.ok) return decoded.value;
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`${what} options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
