// What specs import from @jest/globals, on mocha: mocha runs loaded specs again and again in one process, jest loads them
// anew for each run. Titles differ from jest's only in tables, whose rows are numbered.
export { expect } from 'expect';

const { describe: block, it: test, before, after, beforeEach: beforeTest, afterEach: afterTest } = globalThis;

// Of a case on a virtual clock that waits for what never comes; the others take milliseconds.
const timeoutMs = 10_000;

// Without parameters, because mocha takes one for a callback.
const withoutCallback =
  (step) =>
  async (...args) =>
    await step(...args);
const hook = (register) => (step) =>
  register(async function () {
    this.timeout(timeoutMs);
    await step();
  });
const oneTest = (title, body) => test(title, () => withoutCallback(body)()).timeout(timeoutMs);

function each(define) {
  return (table) => (title, body) => {
    for (const [index, row] of table.entries()) {
      define(`${title} #${index}`, () => body(...(Array.isArray(row) ? row : [row])));
    }
  };
}
function tests(define) {
  return Object.assign((...args) => void define(...args), { each: each(define) });
}

const skipped = tests(() => undefined);

// The files of a bundle share mocha's root, but their outermost hooks are for their own cases. So what a file defines
// outside all blocks waits until the file has ended, and then gets a block without a title.
let waiting = [];
let isInBlock = false;
const inItsFile =
  (define) =>
  (...args) => {
    if (isInBlock) define(...args);
    else waiting.push(() => define(...args));
  };

/** The bundle calls it after each spec file. */
export function endOfFile() {
  const definitions = waiting;
  waiting = [];
  isInBlock = true;
  block('', () => definitions.forEach((define) => define()));
  isInBlock = false;
}

export const it = Object.assign(tests(inItsFile(oneTest)), { skip: skipped });
export const describe = Object.assign(tests(inItsFile((title, define) => block(title, () => void define()))), {
  skip: skipped,
});
export const beforeAll = inItsFile(hook(before));
export const afterAll = inItsFile(hook(after));
export const beforeEach = inItsFile(hook(beforeTest));
export const afterEach = inItsFile(hook(afterTest));
