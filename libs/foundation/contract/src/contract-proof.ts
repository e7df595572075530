import { describe, it } from '@jest/globals';
import { collectCases } from './collect-cases.js';
import type { CollectedCase } from './collect-cases.js';
import { faultsOf, longestRunMs } from './faults-of-case.js';
import type { Create, Ways } from './faults-of-case.js';

/**
 * The breakages of each case, by its title, or by the title of its `it.each` before jest inserts the values of a row.
 */
export type Breakages<C extends Create> = Readonly<Record<string, Ways<C>>>;

/**
 * Proves that every case of a contract suite can fail. `suite` registers the suite for a harness, `create` makes the
 * harness of a good implementation. Each case runs once on the good implementation, where it must pass, and once with
 * each of its breakages, where it must fail. The proof also fails when a case has no breakage, or a breakage has no
 * case.
 *
 * A title is the one that jest prints, without the first block, which names the implementation. Breakages under the
 * title of an `it.each`, before jest inserts the values, apply to each row; a row may have its own under its own title.
 */
export function describeContractProof<C extends Create>(
  name: string,
  suite: (create: C) => void,
  create: C,
  breakages: Breakages<C>,
): void {
  const cases = collectCases(() => suite(create));
  describe(`the contract of ${name} can be failed`, () => {
    it('has a breakage for each of its cases, and no other', () => {
      const titles = Object.keys(breakages);
      const unproven = cases.filter((each) => !titles.some((title) => isOf(each, title)));
      const unknown = titles.filter((title) => !cases.some((each) => isOf(each, title)));
      report([
        ...unproven.map(({ title }) => `no breakage for the case "${title}"`),
        ...unknown.map((title) => `no case for the breakages of "${title}"`),
      ]);
    });

    for (const [title, ways] of Object.entries(breakages)) {
      const proven = [...cases.entries()].filter(([, each]) => isOf(each, title));
      it(
        `${title}: this fails when ${Object.keys(ways).join(', and when ')}`,
        async () => {
          for (const [place] of proven) report(await faultsOf(place, suite, create, ways));
        },
        // Each run has a bound of its own, so the test runner's for a single case must not end them all.
        Math.max(1, proven.length) * (1 + Object.keys(ways).length) * longestRunMs,
      );
    }
  });
}

const isOf = (each: CollectedCase, title: string): boolean => each.title === title || each.template === title;

function report(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
