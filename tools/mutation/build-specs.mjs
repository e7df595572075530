// What Stryker runs before the mutants. It starts one program without a shell, so `&&` would be an argument.
await import('./bundle-specs.mjs');
await import('./repeat-specs.mjs');
