import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { EXPLAINER } from '@podwright/explain-interface';
import { SERVER_ROUTES } from '@podwright/server-interface';
import { explainNeeds, type ExplainNeeds } from './explain-needs.js';
import { explainRoutes } from './explain-routes.js';
import { JournalExplainer } from './journal-explainer.js';

export const explainModule = defineModule({
  name: '@podwright/explain',
  provides: [EXPLAINER],
  needs: explainNeeds,
  create: (deps: ExplainNeeds) => new JournalExplainer(deps),
  contributes: [contribution(SERVER_ROUTES, explainRoutes)],
});

/** Creates one without an assembly. */
export const createJournalExplainer = factoryOf(explainModule);
