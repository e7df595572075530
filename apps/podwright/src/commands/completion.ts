import { usageError } from '../command-error.js';
import { defineCommand, extraWords } from './command.js';

/** The first argument of a call that asks for completions; the words of the line follow. */
export const completionKey = '__complete';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/completion/completion.go. */
export const completionCommand = defineCommand({
  usage: 'completion [SHELL]',
  summary: 'Print the script that completes words in bash or zsh',
  examples: [
    ['completion bash', 'Print the script; source <(podwright completion bash) loads it into this shell'],
    ['completion bash > /etc/bash_completion.d/podwright', 'Load it into every bash'],
    ["completion zsh > '${fpath[1]}/_podwright'", 'Load it into every zsh'],
  ],
  valueLetters: '',
  flags: (yargs) => yargs,
  async run(args, { io }) {
    const [shell, ...rest] = extraWords(args);
    if (shell === undefined) throw usageError('completion', 'Shell not specified.');
    if (rest.length > 0) throw usageError('completion', 'Too many arguments. Expected only the shell type.');
    const script = scripts.get(shell);
    if (script === undefined) throw usageError('completion', `Unsupported shell type ${JSON.stringify(shell)}.`);
    await io.out(script);
  },
});

const bash = `# podwright completion for bash
_podwright() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(podwright ${completionKey} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _podwright podwright
`;

const zsh = `#compdef podwright
# podwright completion for zsh
_podwright() {
  local -a found
  found=("\${(@f)$(podwright ${completionKey} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  _describe 'podwright' found || _files
}
compdef _podwright podwright
`;

const scripts: ReadonlyMap<string, string> = new Map([
  ['bash', bash],
  ['zsh', zsh],
]);
