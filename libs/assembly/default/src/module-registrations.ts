import { tokenId } from '@podwright/assembly-interface';
import type { AnyModule, AssemblyFault, ModuleRegistration, Token } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { injectedParameters } from './injected-tokens.js';
import type { AnyClass, InjectedParameter } from './injected-tokens.js';

/** What one module registers, by token or class. Nothing is constructed to learn it. */
export interface ModuleRegistrations {
  readonly classes: ReadonlyMap<AnyClass, readonly InjectedParameter[]>;
  readonly tokens: ReadonlyMap<Token<unknown>, ModuleRegistration<unknown>>;
}

export interface RecordedRegistrations extends ModuleRegistrations {
  readonly faults: readonly AssemblyFault[];
}

/** Runs `register` against a recorder and compares the outcome with what the module declares. */
export function recordRegistrations(module: AnyModule): RecordedRegistrations {
  const classes = new Map<AnyClass, readonly InjectedParameter[]>();
  const tokens = new Map<Token<unknown>, ModuleRegistration<unknown>>();
  try {
    module.register({
      registerSingleton: (implementation) => void classes.set(implementation, injectedParameters(implementation)),
      register: (token, registration) => {
        if (tokens.has(token)) throw new Error(`${tokenId(token)} is registered twice`);
        tokens.set(token, registration);
      },
    });
  } catch (error) {
    const message = `${module.name}: register failed: ${messageOf(error)}`;
    return { classes, tokens, faults: [{ kind: 'bad-registration', module: module.name, message }] };
  }
  const faults = [
    ...notRegistered(module, tokens),
    ...danglingAliases(module, { classes, tokens }),
    ...undeclared(module, { classes, tokens }),
  ];
  return { classes, tokens, faults };
}

function notRegistered(module: AnyModule, tokens: ModuleRegistrations['tokens']): AssemblyFault[] {
  return module.provides
    .filter((token) => !tokens.has(token))
    .map((token) => ({
      kind: 'bad-registration',
      module: module.name,
      token: tokenId(token),
      message: `${module.name} declares to provide ${tokenId(token)} but does not register it`,
    }));
}

function danglingAliases(module: AnyModule, { classes, tokens }: ModuleRegistrations): AssemblyFault[] {
  const faults: AssemblyFault[] = [];
  for (const [token, registration] of tokens) {
    if (!('useToken' in registration)) continue;
    const target = registration.useToken;
    if (typeof target === 'function' ? classes.has(target) : tokens.has(target) || isDeclared(module, target)) continue;
    const named = typeof target === 'function' ? `class ${target.name}` : tokenId(target);
    faults.push({
      kind: 'bad-registration',
      module: module.name,
      token: tokenId(token),
      message: `${module.name} makes ${tokenId(token)} an alias of ${named}, which it does not register`,
      hint:
        typeof target === 'function'
          ? `call registerSingleton(${target.name})`
          : 'register it, or add it to `requires`',
    });
  }
  return faults;
}

/** Found before anything is constructed: the order of start comes from `requires`, so a token left out there is a trap. */
function undeclared(module: AnyModule, { classes, tokens }: ModuleRegistrations): AssemblyFault[] {
  const faults: AssemblyFault[] = [];
  for (const [implementation, parameters] of classes) {
    for (const { token, optional } of parameters) {
      if (typeof token === 'function' ? classes.has(token) : tokens.has(token) || isDeclared(module, token)) continue;
      const named = typeof token === 'function' ? `class ${token.name}` : tokenId(token);
      faults.push({
        kind: 'undeclared-requirement',
        module: module.name,
        token: named,
        message: `${module.name}: ${implementation.name} injects ${named}, which the module does not require`,
        hint: `add it to \`${optional ? 'optional' : 'requires'}\` of ${module.name}`,
      });
    }
  }
  return faults;
}

/** True when the module may ask for the token: required, optional, or its own config. */
export function isDeclared(module: AnyModule, token: Token<unknown>): boolean {
  return module.requires.includes(token) || (module.optional ?? []).includes(token) || module.config?.token === token;
}
