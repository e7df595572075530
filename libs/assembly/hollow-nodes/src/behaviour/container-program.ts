import type { Program } from '@podwright/simulated-runtime';
import { answerCommand } from './command-answers.js';
import type { Choices } from './choices.js';
import type { ContainerIdentity } from './container-identity.js';
import type { ContainerRule, Failures } from './hollow-behaviour.js';
import { matchesPattern } from './pattern.js';
import { draw, type Spread } from './spread.js';

/** The rule of a container: the first that matches; the last one matches all. */
export function ruleFor(rules: readonly ContainerRule[], of: Omit<ContainerIdentity, 'node'>): ContainerRule {
  const found = rules.find(
    (rule) =>
      matchesPattern(rule.namespace, of.namespace) &&
      matchesPattern(rule.pod, of.pod) &&
      matchesPattern(rule.container, of.container) &&
      matchesPattern(rule.image, of.image),
  );
  if (found === undefined) throw new Error('no rule is for all containers');
  return found;
}

/** What one start of a container does. `attempt` counts its earlier starts. */
export function containerProgram(
  rule: ContainerRule,
  of: ContainerIdentity,
  attempt: number,
  choices: Choices,
): Program {
  const about = [of.namespace, of.pod, of.container] as const;
  const time = (what: string, spread: Spread): number => draw(spread, choices(what, ...about, attempt));
  const fails = (what: string, failures: Failures | undefined): boolean =>
    failures !== undefined &&
    attempt < failures.times &&
    choices(what, of.namespace, of.pod, of.container).next() < failures.share;
  const { crash, startFailure, run, stop, start } = rule;
  const words: Readonly<Record<string, string>> = { ...of, attempt: String(attempt) };
  const common: Program = {
    startMs: time('start', start),
    onStop: { afterMs: time('stop', stop), exitCode: 143 },
    output: rule.log.map((line) => line.replace(/\$([a-z]+)/g, (text, word: string) => words[word] ?? text)),
    usage: { nanoCores: rule.cpuMillicores * 1e6, memoryBytes: rule.memoryBytes },
    exec: (command) => answerCommand(command, of),
  };
  if (startFailure !== undefined && fails('startFailure', startFailure))
    return { ...common, startError: startFailure.message };
  if (crash !== undefined && fails('crash', crash)) {
    const { exitCodes } = crash;
    const chosen = Math.floor(choices('exitCode', ...about, attempt).next() * exitCodes.length);
    return { ...common, exitAfterMs: time('crash', crash.after), exitCode: exitCodes[chosen] ?? 1 };
  }
  return run === undefined ? common : { ...common, exitAfterMs: time('run', run), exitCode: rule.exitCode };
}
