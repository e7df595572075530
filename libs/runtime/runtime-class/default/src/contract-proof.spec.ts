import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import { describeRuntimeClassesContract } from '@podwright/runtime-class-interface/contract';
import type { RuntimeClassesHarness } from '@podwright/runtime-class-interface/contract';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import { createConfiguredRuntimeClasses } from './configured-runtime-classes.module.js';

const create = async (): Promise<RuntimeClassesHarness> => ({
  runtimeClasses: createConfiguredRuntimeClasses({}, { classes: { sandboxed: 'runsc', plain: '' } }),
});

const broken = (
  handlerOf: (name: string | undefined, good: RuntimeClasses) => string,
): ((good: RuntimeClassesHarness) => Partial<RuntimeClassesHarness>) =>
  breaksIn('runtimeClasses', (good) => ({ handlerOf: (name) => handlerOf(name, good) }));

const refuses = (error: Error): never => {
  throw error;
};
const known = ['sandboxed', 'plain'];
const named = 'it names the class by another text';

describeContractProof(
  'RuntimeClasses',
  (make) => describeRuntimeClassesContract('broken RuntimeClasses', make),
  create,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('runtimeClasses'),
    },
    'gives for the class %j the handler %j': {
      'every class is unknown': broken(() => refuses(new Error('not found'))),
    },
    'gives for the class "sandboxed" the handler "runsc"': {
      'all get the default handler': broken(() => ''),
    },
    'gives for the class "plain" the handler ""': {
      'a class without a handler is its own': broken((name, good) => good.handlerOf(name) || (name ?? '')),
    },
    'has the default handler before it was started, and knows no other': {
      'there is none before the start': broken((name, good) =>
        name === undefined ? refuses(new Error('not started')) : good.handlerOf(name),
      ),
      'an unknown class gets the default handler': broken(() => ''),
      [named]: broken((name, good) =>
        name === undefined ? good.handlerOf(name) : refuses(new Error(`runtime class ${name} not found`)),
      ),
    },
    'does not know the class %s': {
      'it gets the default handler': broken((name, good) => (known.includes(name ?? '') ? good.handlerOf(name) : '')),
      'its error has another code': broken((name) =>
        refuses(new KubeletError(`runtimeclass.node.k8s.io "${name}" not found`, { code: 'internal' })),
      ),
      [named]: broken((name) => refuses(new KubeletError(`runtime class ${name} not found`, { code: 'not-found' }))),
    },
    'does not know the class Sandboxed': {
      'names are compared without their case': broken((name, good) => good.handlerOf(name?.toLowerCase())),
    },
    'does not know the class toString': {
      'it is looked up in an object': broken((name) => String(({} as Record<string, unknown>)[name ?? ''])),
    },
  },
);
