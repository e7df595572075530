import type { ExplainedStep, Fact, StepName, StepState } from '@podwright/explain-interface';
import type { JSX } from 'preact';
import { clock, duration, ofField, wordsOf } from '../text/quantities.js';
import { Text } from '../text/foreign-text.js';

const stepWords: Readonly<Record<StepName, string>> = {
  source: 'Learned of it',
  admission: 'Admission',
  queue: 'Queue',
  volumes: 'Volumes',
  sandbox: 'Sandbox',
  network: 'Network',
  image: 'Images',
  start: 'Containers',
  probes: 'Probes',
  status: 'Status sent',
  ending: 'Ending',
};

const stateWords: Readonly<Record<StepState, string>> = {
  done: 'done',
  now: 'at work',
  waiting: 'waits',
  failed: 'failed',
  skipped: 'not needed',
  later: 'later',
};

/** Where a pod stands, step by step. The bars compare how long the steps took. */
export function ExplainChain({ steps }: { readonly steps: readonly ExplainedStep[] }): JSX.Element {
  const longest = Math.max(1, ...steps.map(({ tookMs }) => tookMs ?? 0));
  return (
    <ol class="chain">
      {steps.map(({ step, state, sinceMs, tookMs, facts }) => (
        <li key={step} class={`step step-${state}`}>
          <span class="step-name">{stepWords[step]}</span>
          <span class="step-state">
            {stateWords[state]}
            {sinceMs === undefined ? '' : ` ${state === 'done' ? 'at' : 'since'} ${clock(sinceMs)}`}
          </span>
          <span class="step-took">
            {tookMs !== undefined && (
              <>
                <span
                  class="took-bar"
                  style={{ width: `${Math.max(2, (tookMs / longest) * 100)}%` }}
                  aria-hidden="true"
                />
                <span class="number">{duration(tookMs)}</span>
              </>
            )}
          </span>
          {state !== 'done' && state !== 'skipped' && state !== 'later' && <StepFacts facts={facts} />}
        </li>
      ))}
    </ol>
  );
}

function StepFacts({ facts }: { readonly facts: Readonly<Record<string, Fact>> }): JSX.Element | null {
  const entries = Object.entries(facts);
  if (entries.length === 0) return null;
  return (
    <dl class="step-facts">
      {entries.map(([name, fact]) => (
        <div key={name}>
          <dt>{wordsOf(name)}</dt>
          <dd>
            <Text>{factText(name, fact)}</Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function factText(name: string, fact: Fact): string {
  if (typeof fact !== 'number') return Array.isArray(fact) ? fact.join(', ') : String(fact);
  return ofField(name, fact);
}
