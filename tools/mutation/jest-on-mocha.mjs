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
export const it = Object.assign(tests(oneTest), { skip: skipped });
export const describe = Object.assign(
  tests((title, define) => block(title, () => void define())),
  { skip: skipped },
);
export const beforeAll = hook(before);
export const afterAll = hook(after);
export const beforeEach = hook(beforeTest);
export const afterEach = hook(afterTest);
