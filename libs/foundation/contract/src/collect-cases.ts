import { rowsOf, titleOfRow } from './each-row.js';
import { defineWith } from './test-functions.js';
import type { TestFunctions } from './test-functions.js';

type Step = () => unknown;

/** One case of a suite, with the hooks that run before and after it, in order. */
export interface CollectedCase {
  /**
   * The title as jest prints it, with the titles of its blocks, except the outermost, which names the implementation.
   */
  readonly title: string;
  /** For a case of an `it.each`, the title before jest inserts the values of its row; for other cases the title. */
  readonly template: string;
  readonly before: readonly Step[];
  readonly body: Step;
  readonly after: readonly Step[];
}

type Hook = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll';

interface Block {
  readonly titles: readonly string[];
  readonly outer: Block | undefined;
  readonly hooks: Readonly<Record<Hook, Step[]>>;
}

/**
 * Calls `suite` and returns the cases that it defines, in order, except skipped ones. Does not register them with jest.
 */
export function collectCases(suite: () => void): readonly CollectedCase[] {
  const found: { readonly block: Block; readonly title: string; readonly template: string; readonly body: Step }[] = [];
  let block = blockIn(undefined, []);

  const describe = (title: string, define: () => void): void => {
    const outer = block;
    block = blockIn(outer, outer.outer === undefined ? [] : [...outer.titles, title]);
    define();
    block = outer;
  };
  const it = (title: string, body: Step): void => void found.push({ block, title, template: title, body });
  const each =
    (table: readonly unknown[]) =>
    (template: string, body: (...row: readonly unknown[]) => unknown): void => {
      for (const [index, row] of rowsOf(table).entries()) {
        found.push({ block, title: titleOfRow(template, row, index), template, body: () => body(...row) });
      }
    };
  const skip = Object.assign(() => undefined, { each: () => () => undefined });
  const hook =
    (name: Hook) =>
    (step: Step): void =>
      void block.hooks[name].push(step);

  const functions = {
    describe,
    it: Object.assign(it, { each, skip }),
    beforeAll: hook('beforeAll'),
    beforeEach: hook('beforeEach'),
    afterEach: hook('afterEach'),
    afterAll: hook('afterAll'),
  };
  defineWith(functions as unknown as TestFunctions, suite);
  return found.map(({ block: own, title, template, body }) => {
    const inwards = blocksAround(own);
    const outwards = inwards.toReversed();
    const steps = (blocks: readonly Block[], name: Hook): Step[] => blocks.flatMap(({ hooks }) => hooks[name]);
    return {
      title: [...own.titles, title].join(' '),
      template: [...own.titles, template].join(' '),
      before: [...steps(inwards, 'beforeAll'), ...steps(inwards, 'beforeEach')],
      body,
      after: [...steps(outwards, 'afterEach'), ...steps(outwards, 'afterAll')],
    };
  });
}

function blockIn(outer: Block | undefined, titles: readonly string[]): Block {
  return { outer, titles, hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] } };
}

/** The block and all blocks that contain it, outermost first. */
function blocksAround(block: Block): readonly Block[] {
  return [...(block.outer === undefined ? [] : blocksAround(block.outer)), block];
}
