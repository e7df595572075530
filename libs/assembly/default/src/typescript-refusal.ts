import path from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';

const typeScript = /\.[cm]?ts$/;

/**
 * Turns Node's refusal to load a TypeScript file into an error that says what to do; returns other errors unchanged.
 */
export function explainTypeScriptRefusal(error: unknown, file: string): unknown {
  const reason = typeScript.test(file) ? reasonOf(error) : undefined;
  if (reason === undefined) return error;
  const compiled = file.replace(typeScript, '.cjs');
  const message =
    `${reason}; or compile it (npx esbuild ${file} --bundle --platform=node --outfile=${compiled}) ` +
    `and name ${path.basename(compiled)} in the assembly file`;
  return new KubeletError(message, { code: 'failed-precondition', cause: error });
}

function reasonOf(error: unknown): string | undefined {
  switch ((error as { readonly code?: unknown } | undefined)?.code) {
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return `Node ${process.versions.node} cannot load TypeScript: use Node 22.18 or later`;
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return `${messageOf(error)}: use TypeScript of which only the types have to be removed`;
    default:
      // What V8 says of an ES module that the nearest package.json declares to be none.
      return /^Cannot use import statement outside a module|^Unexpected token 'export'/.test(messageOf(error))
        ? `${messageOf(error)}: set "type": "module" in the package.json beside it, or end its name with .mts`
        : undefined;
  }
}
