import { CLOCK, decodeOptions, defineModule, LOGGER, needs, type Needs } from '@podwright/assembly-interface';
import type { RunProgram } from '@podwright/program';
import { iptablesConfig, type IptablesConfig } from './iptables-config.js';
import { IptablesRules } from './iptables-rules.js';

export const iptablesNeeds = needs({ clock: CLOCK, logger: LOGGER });
export type IptablesNeeds = Needs<typeof iptablesNeeds>;

/** Provides nothing: it only has to run. */
export const iptablesModule = defineModule({
  name: '@podwright/iptables',
  provides: [],
  needs: iptablesNeeds,
  config: iptablesConfig,
  create: (deps: IptablesNeeds, config: IptablesConfig) => new IptablesRules(deps, config),
});

/** Creates it without an assembly. `run`: how iptables is run. Throws `invalid-argument` for options out of range. */
export function createIptablesRules(
  { run, ...deps }: IptablesNeeds & { readonly run?: RunProgram },
  options: Partial<IptablesConfig> = {},
): IptablesRules {
  return new IptablesRules(deps, decodeOptions('iptables', iptablesConfig, options), run);
}
