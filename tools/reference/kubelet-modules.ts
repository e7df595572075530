import type { AnyModule } from '@podwright/assembly-interface';
import { knownModules, modulesFor } from '@podwright/kubelet-assembly';
import { standaloneProgram } from '@podwright/kubelet-standalone';
import { defaultKubeletConfiguration, FeatureGates, parseKubeletFlags } from '@podwright/kubelet-configuration';

/** A module and the kubelets that have it. */
export interface KubeletModule {
  readonly module: AnyModule;
  readonly presence: string;
}

const usual = { configuration: defaultKubeletConfiguration({}), gates: FeatureGates.defaults() };
// Options that add further modules.
const rich = {
  configuration: defaultKubeletConfiguration({ rotateCertificates: true, tracing: {} }),
  gates: FeatureGates.defaults().withMap({ EventedPLEG: true, PodsAPI: true }),
};

function listOf({ configuration, gates }: typeof usual, kubeconfig: string): readonly AnyModule[] {
  const { flags, ownFlags } = parseKubeletFlags(['--kubeconfig', kubeconfig]);
  return modulesFor({ configuration, flags, ownFlags, featureGates: gates });
}

/** The modules of the kubelet without a cluster; it takes the same configuration. */
function listOfStandalone(): readonly AnyModule[] {
  const { flags, ownFlags } = parseKubeletFlags([], standaloneProgram);
  return modulesFor(
    { configuration: usual.configuration, flags, ownFlags, featureGates: usual.gates },
    standaloneProgram.parts,
  );
}

/** Every module that some configuration, or a name in an assembly file, includes in a kubelet; by name. */
export function everyKubeletModule(): readonly KubeletModule[] {
  const [alone, inCluster] = [listOf(usual, ''), listOf(usual, 'kubeconfig')];
  const standalone = listOfStandalone();
  const configured = [...listOf(rich, ''), ...listOf(rich, 'kubeconfig')];
  const presenceOf = (module: AnyModule): string => {
    if (alone.includes(module)) return inCluster.includes(module) ? 'by default' : 'by default, without an API server';
    if (inCluster.includes(module)) return 'by default, with an API server';
    if (standalone.includes(module)) return 'if an assembly file adds it; in kubelet-standalone by default';
    return configured.includes(module) ? 'if the configuration asks for it' : 'if an assembly file adds it';
  };
  const modules = new Set([...alone, ...inCluster, ...configured, ...standalone, ...knownModules]);
  return [...modules]
    .map((module) => ({ module, presence: presenceOf(module) }))
    .sort((a, b) => (a.module.name < b.module.name ? -1 : a.module.name > b.module.name ? 1 : 0));
}
