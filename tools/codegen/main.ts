import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { targets } from './targets.js';
import { generateTypeScript } from './ts-proto.js';
import { generateCodecs } from './wire-codec.js';

// Generated files are not committed. They are rewritten only when their content changes, so that caches stay valid.
for (const target of targets) {
  const source = target.kind === 'types' ? generateTypeScript(target.proto, target.options) : generateCodecs(target);
  if (existsSync(target.output) && readFileSync(target.output, 'utf8') === source) continue;
  mkdirSync(path.dirname(target.output), { recursive: true });
  writeFileSync(target.output, source);
  console.log(`generated ${target.output}`);
}
