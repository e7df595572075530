import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateTypeScript } from './ts-proto.js';
import { targets } from './targets.js';

// Generated files are not committed; they are rewritten only when their content changes, so that caches stay valid.
for (const { proto, output, options } of targets) {
  const source = generateTypeScript(proto, options);
  if (existsSync(output) && readFileSync(output, 'utf8') === source) continue;
  mkdirSync(path.dirname(output), { recursive: true });
  writeFileSync(output, source);
  console.log(`generated ${output}`);
}
