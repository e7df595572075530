// Time, timers and randomness come only from @podwright/time (Clock, Random), so that the whole kubelet can run on a
// virtual clock with a seed. Each known alternative is listed here once, with its replacement.
const clock = 'Take a Clock from @podwright/time: tests run on a virtual one.';
const random = 'Take a Random from @podwright/time: runs must be repeatable from a seed.';

const timers = ['setTimeout', 'setInterval', 'setImmediate'];
const owners = ['globalThis', 'global'];

/** `no-restricted-globals` entries. */
export const globals = [
  ...timers.map((name) => ({ name, message: clock })),
  { name: 'performance', message: clock },
  { name: 'requestAnimationFrame', message: clock },
];

/** `no-restricted-properties` entries. */
export const properties = [
  { object: 'Date', property: 'now', message: clock },
  { object: 'performance', property: 'now', message: clock },
  { object: 'process', property: 'hrtime', message: clock },
  { object: 'AbortSignal', property: 'timeout', message: 'It is a real timer. ' + clock },
  { object: 'Math', property: 'random', message: random },
  { object: 'crypto', property: 'randomUUID', message: random },
  { object: 'crypto', property: 'randomBytes', message: random },
  { object: 'crypto', property: 'randomInt', message: random },
  { object: 'crypto', property: 'getRandomValues', message: random },
  ...owners.flatMap((object) => [...timers, 'performance'].map((property) => ({ object, property, message: clock }))),
];

/** `no-restricted-syntax` entries. */
export const syntax = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clock },
  { selector: "CallExpression[callee.name='Date']", message: clock },
];

/** `no-restricted-imports` paths. */
export const imports = [
  ...['timers', 'timers/promises', 'perf_hooks']
    .flatMap((name) => [name, `node:${name}`])
    .map((name) => ({ name, message: clock })),
  ...['crypto', 'node:crypto'].map((name) => ({
    name,
    importNames: [
      'randomUUID',
      'randomBytes',
      'randomInt',
      'randomFill',
      'randomFillSync',
      'getRandomValues',
      'webcrypto',
    ],
    message: random,
  })),
];
