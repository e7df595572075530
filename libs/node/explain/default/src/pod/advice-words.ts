import type { JournalPod } from '@podwright/journal-interface';
import type { PodState } from './pod-state.js';

/** Which command knows the pods of this node; undefined on a node without a cluster and without the local API. */
export function podTool({ hasApiServer, hasLocalApi }: Pick<PodState, 'hasApiServer' | 'hasLocalApi'>): Tool {
  return hasApiServer ? 'kubectl' : hasLocalApi ? 'podwright' : undefined;
}

type Tool = 'kubectl' | 'podwright' | undefined;

/** What a person does with a refused pod: the pods of a file or a URL cannot be deleted by a command. */
export function refusalWords(source: string | undefined): Readonly<Record<'takeBack' | 'recreate' | 'moveOn', string>> {
  if (source !== 'file' && source !== 'http') {
    return {
      ...{ takeBack: 'Delete the pod', recreate: 'delete the pod and create it again' },
      moveOn: 'Delete the pod, so that its controller creates another one elsewhere',
    };
  }
  const place = source === 'file' ? 'its file' : 'its manifest at the URL';
  return {
    ...{ takeBack: `Edit or remove ${place}`, recreate: `edit or remove ${place}` },
    moveOn: `Remove ${place} if the pod is to run elsewhere`,
  };
}

/** The parts of an advice that depend on the commands of the node, for the braces of a situation's text. */
export function adviceWords(
  tool: Tool,
  { namespace, name, uid }: Pick<JournalPod, 'namespace' | 'name'> & { readonly uid?: string },
  container = '?',
): Readonly<Record<'logs' | 'logsBefore' | 'describe' | 'orDelete' | 'find', string>> {
  if (tool === undefined) {
    const folder = `in ${namespace}_${name}_${uid ?? '?'}/${container} below the folder of pod logs (/var/log/pods)`;
    return {
      ...{ logs: folder, logsBefore: folder, describe: "in the kubelet's log", orDelete: '' },
      find: 'the pods of this node come from its static pod folder and URL',
    };
  }
  const logs = (flag: string): string => `with ${tool} logs ${flag}${name} -n ${namespace} -c ${container}`;
  return {
    ...{ logs: logs(''), logsBefore: logs('--previous ') },
    describe: `with ${tool} describe pod ${name} -n ${namespace}`,
    orDelete: `; ${tool} delete --grace-period=1 shortens the wait`,
    find:
      tool === 'kubectl'
        ? `kubectl get pod ${name} -n ${namespace} -o wide shows which node it is on`
        : 'podwright get pods -A lists those of this node',
  };
}
