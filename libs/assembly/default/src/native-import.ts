import { isSea } from 'node:sea';
import { constants, Script } from 'node:vm';

/** Loads a file by its `file:` URL and returns its exports. */
export type ImportModule = (url: string) => Promise<unknown>;

/** What the loader of an executable file gives to its program. */
declare const importNative: ImportModule | undefined;

/** `import()`. That of code which comes from a code cache loads no files. */
export const nativeImport: ImportModule = (url) => {
  if (typeof importNative === 'function') return importNative(url);
  return (isSea() ? importByLoader() : importHere)(url);
};

const importHere: ImportModule = (url) => import(url);

// Code that is compiled later may use Node's loader. The result of a script has no type.
const importByLoader = (): ImportModule =>
  new Script('(url) => import(url)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext() as ImportModule;
