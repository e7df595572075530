import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve('tools/fuzz/corpus');

/** Inputs that once found a fault in a target. */
export function corpusOf(name: string, root = folder): readonly Buffer[] {
  const own = path.join(root, name);
  return existsSync(own) ? readdirSync(own).map((file) => readFileSync(path.join(own, file))) : [];
}
