// use-package.mjs [ENTRY...] -- [EXAMPLE.js...]: uses an installed package as a reader of its README would. Imports its
// entry points, which must start nothing, then runs its examples: their statements, and each exported function that
// takes nothing. Prints `ran` or `loaded` for each example.
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const separator = process.argv.indexOf('--');
const [entries, examples] = [process.argv.slice(2, separator), process.argv.slice(separator + 1)];

for (const entry of entries) {
  const module = await import(entry);
  if (typeof module !== 'object') throw new Error(`${entry} is not a module`);
}
await setImmediate(); // what the imports themselves used is closed
const started = process.getActiveResourcesInfo().filter((kind) => !['PipeWrap', 'TTYWrap'].includes(kind));
if (started.length > 0) throw new Error(`importing ${entries.join(', ')} started ${started.join(', ')}`);

// Examples of programs must end: they get a flag that does.
process.argv = [process.argv[0], process.argv[1], '--version'];
const isClass = (value) => /^class\b/.test(Function.prototype.toString.call(value));
for (const example of examples) {
  const module = await import(pathToFileURL(path.resolve(example)).href);
  const callable = Object.values(module).filter(
    (value) => typeof value === 'function' && value.length === 0 && !isClass(value),
  );
  for (const run of callable) await run();
}
// What an example serves or watches would keep the process alive.
process.exit(0);
