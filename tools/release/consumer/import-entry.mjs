// Imports one entry point of an installed package as any ES module would. The process must end by itself: an import
// starts nothing.
const [specifier] = process.argv.slice(2);
const entry = await import(specifier);
if (typeof entry !== 'object') throw new Error(`${specifier} is not a module`);
