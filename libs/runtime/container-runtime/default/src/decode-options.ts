import type { ConfigSchema } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';

/** Options of a factory, checked and with defaults as in an assembly. Throws `invalid-argument` naming each fault. */
export function decodeOptions<C>(schema: ConfigSchema<C>, options: Partial<C>): C {
  const config = schema.decode(options);
  if (config.ok) return config.value;
  const faults = config.faults.map(({ field, problem }) => `${field} ${problem}`).join('; ');
  throw new KubeletError(`wrong options: ${faults}`, { code: 'invalid-argument' });
}
