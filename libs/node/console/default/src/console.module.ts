import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { CONSOLE } from '@podwright/console-interface';
import { LOOPBACK_LISTENERS, SERVER_ROUTES } from '@podwright/server-interface';
import { consoleConfig, type ConsoleConfig } from './console-config.js';
import { consoleNeeds, neededToShow, type ConsoleNeeds } from './console-needs.js';
import { NodeConsole } from './node-console.js';

export const consoleModule = defineModule({
  name: '@podwright/console',
  provides: [CONSOLE],
  needs: consoleNeeds,
  config: consoleConfig,
  requiredBy: ({ address }: ConsoleConfig) => (address === '' ? {} : neededToShow),
  create: (deps: ConsoleNeeds, config: ConsoleConfig) => new NodeConsole(deps, config),
  contributes: [
    contribution(SERVER_ROUTES, (console: NodeConsole) => console.routes()),
    contribution(LOOPBACK_LISTENERS, (console: NodeConsole) => console.listeners()),
  ],
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createNodeConsole = factoryOf(consoleModule);
