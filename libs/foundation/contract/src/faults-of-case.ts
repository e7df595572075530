import { isError } from '@podwright/errors';
import { createSystemClock } from '@podwright/time';
import { breaks } from './breaks.js';
import { collectCases } from './collect-cases.js';
import { runCase } from './run-case.js';
import type { Outcome, Patience } from './run-case.js';

const clock = createSystemClock();
// The case on the good implementation may take its time; its duration decides how long to wait for the broken ones.
const patient: Patience = { quietMs: Infinity, longestMs: 60_000 };
const patienceAfter = (goodMs: number): Patience => ({ quietMs: 10 + 2 * goodMs, longestMs: 2_000 + 2 * goodMs });
/** No run of a case, with the hooks after it, takes longer. */
export const longestRunMs = 2 * patienceAfter(2 * patient.longestMs).longestMs;

// A suite may pass any arguments to `create`; `never` accepts every such signature.
export type Create = (...args: never[]) => unknown;

/**
 * Breaks one promise: it gets a good harness and returns the members to replace in it. Use {@link breaks} to replace
 * members of an instance that is part of the harness.
 */
export type Breakage<C extends Create> = (
  good: Awaited<ReturnType<C>>,
  ...args: Parameters<C>
) => Partial<Awaited<ReturnType<C>>> | Promise<Partial<Awaited<ReturnType<C>>>>;

/** Breakages of one case, by a few words that say what goes wrong. A case with several promises has several. */
export type Ways<C extends Create> = Readonly<Record<string, Breakage<C>>>;

/**
 * The faults of the case at index `place` of the suite; none when it passes on the good implementation and fails with
 * each breakage.
 */
export async function faultsOf<C extends Create>(
  place: number,
  suite: (create: C) => void,
  create: C,
  ways: Ways<C>,
): Promise<readonly string[]> {
  const startedMs = clock.monotonic();
  const { title, outcome: whole } = await run(place, () => suite(create), patient);
  if (whole.kind !== 'passed') return [`"${title}" does not pass on the good implementation: ${described(whole)}`];
  const patience = patienceAfter(clock.monotonic() - startedMs);
  const faults: string[] = [];
  for (const [way, breakage] of Object.entries(ways)) {
    const crashes: unknown[] = [];
    const { outcome } = await run(place, () => suite(breaking(create, breakage, crashes)), patience);
    const fault = crashes.length > 0 ? `the breakage itself fails, ${text(crashes[0])}` : faultOf(outcome);
    if (fault !== undefined) faults.push(`"${title}", when ${way}: ${fault}`);
  }
  return faults;
}

function faultOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'passed') return 'passes, no expectation looks at what is broken';
  const crashed = outcome.kind === 'failed' && isError(outcome.error) && programmingErrors.has(outcome.error.name);
  return crashed ? `crashes before an expectation fails, ${described(outcome)}` : undefined;
}

async function run(
  place: number,
  suite: () => void,
  patience: Patience,
): Promise<{ readonly title: string; readonly outcome: Outcome }> {
  const found = collectCases(suite)[place];
  if (found === undefined) throw new Error(`the suite has no case ${place}`);
  return { title: found.title, outcome: await runCase(found, patience) };
}

function breaking<C extends Create>(create: C, breakage: Breakage<C>, crashes: unknown[]): C {
  const crash = (error: unknown): never => {
    crashes.push(error);
    throw error;
  };
  type Harness = Awaited<ReturnType<C>> & object;
  const whole = (good: Harness, args: Parameters<C>): unknown => {
    const replaced = breakage(breaks(good, {}), ...args); // `breaks` binds the methods, so that they can be destructured
    return isPromise(replaced) ? replaced.then((members) => breaks(good, members)) : breaks(good, replaced);
  };
  const broken = (...args: Parameters<C>): unknown => {
    try {
      // A suite whose `create` is synchronous cannot wait for a promise.
      const good = create(...args) as Harness | Promise<Harness>;
      const harness = isPromise(good) ? good.then((made) => whole(made, args)) : whole(good, args);
      return isPromise(harness) ? harness.catch(crash) : harness;
    } catch (error) {
      return crash(error);
    }
  };
  return broken as unknown as C;
}

// Neither an expectation nor a bounded wait throws these: the breakage returned a value that does not match its type.
const programmingErrors = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);
const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof (value as { then?: unknown }).then === 'function';
const described = (outcome: Outcome): string => (outcome.kind === 'failed' ? text(outcome.error) : outcome.kind);
const text = (error: unknown): string => (isError(error) ? (error.stack ?? error.message) : String(error));
