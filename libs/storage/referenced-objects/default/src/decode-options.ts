import type { ConfigSchema } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';

/** Options with their defaults. Throws `invalid-argument` that names what is out of range. */
export function decodeOptions<C>(schema: ConfigSchema<C>, options: Partial<C>): C {
  const decoded = schema.decode(options);
  if (decoded.ok) return decoded.value;
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`referenced-objects options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
