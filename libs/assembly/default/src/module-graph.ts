import {
  contributedTokens,
  decoratedTokens,
  neededTokens,
  providedTokens,
  takesMany,
  tokenId,
} from '@podwright/assembly-interface';
import type { AnyModule, AssemblyEdge, AssemblyFault, AssemblyGraph, Token } from '@podwright/assembly-interface';
import { findCycles } from './find-cycles.js';
import type { ListedModule } from './module-list.js';

export interface CheckedGraph {
  /** In start order: modules come after those they need; otherwise the order of the list counts. */
  readonly ordered: readonly ListedModule[];
  /** The module that provides a token; the first one when there are several. */
  readonly providers: ReadonlyMap<Token<unknown>, AnyModule>;
  /** The modules that contribute to a many-token, in start order. */
  readonly contributors: ReadonlyMap<Token<unknown>, readonly AnyModule[]>;
  /** The modules that decorate a token, the innermost first. */
  readonly decorators: ReadonlyMap<Token<unknown>, readonly AnyModule[]>;
  readonly faults: readonly AssemblyFault[];
}

/** Checks the graph of modules. `known` are modules that hints may name. */
export function checkGraph(
  listed: readonly ListedModule[],
  values: ReadonlySet<Token<unknown>>,
  known: readonly AnyModule[],
): CheckedGraph {
  const modules = listed.map(({ module }) => module);
  const { providers, faults } = findProviders(modules, values);
  const faultsFound = [
    ...duplicateNames(modules),
    ...modules.flatMap(wrongTokens),
    ...faults,
    ...unmetRequirements(modules, providers, values, known),
  ];
  const edges = edgesOf(modules, providers);
  const needs = needsOf(modules, edges);
  const cycles = findCycles(needs);
  faultsFound.push(...cycles.map((path) => cycleFault(path, edges)));
  const ordered = inStartOrder(listed, depthsOf(needs));
  return {
    ordered,
    providers,
    contributors: modulesByToken(
      ordered.map(({ module }) => module),
      contributedTokens,
    ),
    decorators: modulesByToken(modules, decoratedTokens),
    faults: faultsFound,
  };
}

/** The graph for people; no part of an assembly uses it, so that it is not kept but made when somebody asks. */
export function graphOf(listed: readonly ListedModule[], values: readonly Token<unknown>[]): AssemblyGraph {
  const modules = listed.map(({ module }) => module);
  const edges = edgesOf(modules, findProviders(modules, new Set(values)).providers);
  const depths = depthsOf(needsOf(modules, edges));
  const nodes = inStartOrder(listed, depths).map(({ module, ...origin }) => ({
    name: module.name,
    provides: providedTokens(module).map(tokenId),
    requires: neededTokens(module).requires.map(tokenId),
    optional: neededTokens(module).optional.map(tokenId),
    contributes: contributedTokens(module).map(tokenId),
    ...(decoratedTokens(module).length > 0 && { decorates: decoratedTokens(module).map(tokenId) }),
    depth: depths.get(module.name) ?? 0,
    ...origin,
  }));
  return { modules: nodes, edges, values: values.map(tokenId) };
}

function needsOf(modules: readonly AnyModule[], edges: readonly AssemblyEdge[]): ReadonlyMap<string, string[]> {
  const needs = new Map<string, string[]>(modules.map(({ name }) => [name, []]));
  for (const { from, to } of edges) needs.get(from)?.push(to);
  return needs;
}

function inStartOrder(listed: readonly ListedModule[], depths: ReadonlyMap<string, number>): readonly ListedModule[] {
  const depthOf = ({ module }: ListedModule): number => depths.get(module.name) ?? 0;
  // The sort is stable: equal depths keep the order of the list.
  return [...listed].sort((a, b) => depthOf(a) - depthOf(b));
}

function duplicateNames(modules: readonly AnyModule[]): AssemblyFault[] {
  const names = modules.map(({ name }) => name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => ({
    kind: 'duplicate-module',
    module: name,
    message: `two modules are named ${name}`,
    hint: 'a module is part of an assembly once; use `replace` to exchange it',
  }));
}

function findProviders(
  modules: readonly AnyModule[],
  values: ReadonlySet<Token<unknown>>,
): { providers: Map<Token<unknown>, AnyModule>; faults: AssemblyFault[] } {
  const providers = new Map<Token<unknown>, AnyModule>();
  const faults: AssemblyFault[] = [];
  for (const module of modules) {
    for (const token of new Set(providedTokens(module))) {
      const other = providers.get(token)?.name ?? (values.has(token) ? 'the app' : undefined);
      // A module listed twice is one fault (duplicate-module), not one for each of its tokens.
      if (other !== undefined && other !== module.name) faults.push(secondProvider(module, token, other));
      if (!providers.has(token)) providers.set(token, module);
    }
  }
  return { providers, faults };
}

function secondProvider(module: AnyModule, token: Token<unknown>, other: string): AssemblyFault {
  return {
    kind: 'second-provider',
    module: module.name,
    token: tokenId(token),
    message: `${module.name} provides ${tokenId(token)}, which ${other} provides already`,
    hint:
      other === 'the app'
        ? 'leave the value out of the app'
        : `use \`replace: '${other}'\` with \`with: '${module.name}'\`, or omit one`,
  };
}

function unmetRequirements(
  modules: readonly AnyModule[],
  providers: ReadonlyMap<Token<unknown>, AnyModule>,
  values: ReadonlySet<Token<unknown>>,
  known: readonly AnyModule[],
): AssemblyFault[] {
  const faults: AssemblyFault[] = [];
  for (const module of modules) {
    for (const token of new Set(neededTokens(module).requires)) {
      if (takesMany(token) || values.has(token) || providers.has(token)) continue;
      const message = `${module.name} requires ${tokenId(token)}, which nobody provides`;
      faults.push({ ...unmetRequirement(module, token), message, hint: whoProvides(token, known) });
    }
  }
  return faults;
}

/** A fault of a module that needs what nobody provides, without its words. */
export const unmetRequirement = (
  { name }: AnyModule,
  token: Token<unknown>,
): Pick<AssemblyFault, 'kind' | 'module' | 'token'> => ({
  kind: 'unmet-requirement',
  module: name,
  token: tokenId(token),
});

/** Which of the known modules to add for a token. */
export function whoProvides(token: Token<unknown>, known: readonly AnyModule[]): string {
  const able = [...new Set(known.filter((other) => providedTokens(other).includes(token)).map(({ name }) => name))];
  return able.length > 0
    ? `${able.join(' and ')} provides it: add it`
    : 'no known module provides it: add one that does';
}

function edgesOf(
  modules: readonly AnyModule[],
  providers: ReadonlyMap<Token<unknown>, AnyModule>,
): readonly AssemblyEdge[] {
  const contributors = modulesByToken(modules, contributedTokens);
  const decorators = modulesByToken(modules, decoratedTokens);
  const edges = (module: AnyModule, tokens: readonly Token<unknown>[], optional: boolean): AssemblyEdge[] =>
    [...new Set(tokens)].flatMap((token) => {
      const provider = providers.get(token);
      const from = provider === undefined ? (contributors.get(token) ?? []) : [provider];
      const edge = (to: AnyModule, mayBeAbsent: boolean): AssemblyEdge => ({
        from: module.name,
        to: to.name,
        token: tokenId(token),
        optional: mayBeAbsent,
      });
      // A module that needs itself, or what it decorates, gets an edge, too: it is a cycle.
      return [
        ...from.map((to) => edge(to, optional || takesMany(token))),
        ...(decorators.get(token) ?? []).map((to) => edge(to, true)),
      ];
    });
  return modules.flatMap((module) => {
    const { requires, optional } = neededTokens(module);
    return [...edges(module, requires, false), ...edges(module, optional, true)];
  });
}

function modulesByToken(
  modules: readonly AnyModule[],
  tokensOf: (module: AnyModule) => readonly Token<unknown>[],
): Map<Token<unknown>, AnyModule[]> {
  const byToken = new Map<Token<unknown>, AnyModule[]>();
  for (const module of modules) {
    for (const token of new Set(tokensOf(module))) {
      const others = byToken.get(token);
      if (others === undefined) byToken.set(token, [module]);
      else others.push(module);
    }
  }
  return byToken;
}

function wrongTokens(module: AnyModule): AssemblyFault[] {
  const fault = (token: Token<unknown>, message: string, hint: string): AssemblyFault => ({
    kind: 'wrong-token',
    module: module.name,
    token: tokenId(token),
    message: `${module.name} ${message}`,
    hint,
  });
  return [
    ...providedTokens(module)
      .filter(takesMany)
      .map((token) => fault(token, `provides ${tokenId(token)}, which takes many`, 'name it in `contributes` instead')),
    ...contributedTokens(module)
      .filter((token) => !takesMany(token))
      .map((token) =>
        fault(token, `contributes to ${tokenId(token)}, which takes one`, 'name it in `provides` instead'),
      ),
    ...decoratedTokens(module)
      .filter(takesMany)
      .map((token) =>
        fault(token, `decorates ${tokenId(token)}, which takes many`, 'decorate what a single module provides'),
      ),
  ];
}

function cycleFault(path: readonly string[], edges: readonly AssemblyEdge[]): AssemblyFault {
  const steps = path.map((from, index) => {
    const to = path[(index + 1) % path.length];
    const token = edges.find((edge) => edge.from === from && edge.to === to)?.token ?? '';
    return `${from} -(${token})-> `;
  });
  return {
    kind: 'cycle',
    module: path[0] ?? '',
    message: `modules require each other: ${steps.join('')}${path[0] ?? ''}`,
    hint: 'move what both need into a third module, or let one subscribe to the other in start()',
  };
}

function depthsOf(needs: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const depths = new Map<string, number>();
  const visit = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    // Set while the module is visited, so that a cycle (reported as a fault of its own) ends the search.
    depths.set(name, 0);
    const below = (needs.get(name) ?? []).map((need) => visit(need) + 1);
    const depth = Math.max(0, ...below);
    depths.set(name, depth);
    return depth;
  };
  for (const name of needs.keys()) visit(name);
  return depths;
}
