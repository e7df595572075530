import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { consolePagesOutput, generateConsolePages } from '../build/console-pages.js';
import { targets } from './targets.js';
import { generateTypeScript } from './ts-proto.js';
import { generateCodecs } from './wire-codec.js';

for (const target of targets) {
  write(
    target.output,
    target.kind === 'types' ? generateTypeScript(target.proto, target.options) : generateCodecs(target),
  );
}
write(consolePagesOutput, await generateConsolePages());

/** Generated files are not committed. They are rewritten only when their content changes, so that caches stay valid. */
function write(output: string, source: string): void {
  if (existsSync(output) && readFileSync(output, 'utf8') === source) return;
  mkdirSync(path.dirname(output), { recursive: true });
  writeFileSync(output, source);
  console.log(`generated ${output}`);
}
