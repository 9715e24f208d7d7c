// Completion for shells: scripts that know the commands, their options, and the values of those that have choices;
// anything else is completed with files.
import type { Described, DescribedCommand, DescribedOption } from './described.js'

/** The shells there are scripts for. */
export const shells = { bash, zsh, fish } as const

const spellings = ({ short, long }: DescribedOption) => [short, long].filter((one) => one !== '')

/** For bash. */
function bash({ commands, options }: Described): string {
  const words = (command: { readonly options: readonly DescribedOption[] }) =>
    command.options.flatMap(spellings).join(' ')
  const valued = commands.flatMap(({ name, options: own }) =>
    own
      .filter(({ choices }) => choices.length > 0)
      .map((option) => {
        const patterns = spellings(option).map((spelling) => `${name}:${spelling}`)
        return `    ${patterns.join(' | ')}) COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$word")); return ;;`
      }),
  )
  const own = commands.map((command) => `    ${command.name}) words='${words(command)}' ;;`)
  return `# completion of scamp for bash
_scamp() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} ${words({ options })}' -- "$word"))
    return
  fi
  case $command:$before in
${valued.join('\n')}
  esac
  case $command in
${own.join('\n')}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -F _scamp scamp
`
}

/** For zsh. */
function zsh({ commands }: Described): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const plain = (text: string) => text.replace(/[[\]:\\]/g, '\\$&')
  const spec = (option: DescribedOption) => {
    const names = spellings(option)
    const value =
      option.value === ''
        ? ''
        : `:${plain(option.value)}:${option.choices.length > 0 ? `(${option.choices.join(' ')})` : '_files'}`
    const rest = `[${plain(option.description)}]${value}`
    return names.length === 1
      ? quoted(`${names[0]}${rest}`)
      : `${quoted(`(${names.join(' ')})`)}{${names.join(',')}}${quoted(rest)}`
  }
  const arm = ({ name, options }: DescribedCommand) =>
    `    ${name}) _arguments ${[...options.map(spec), "'*:file:_files'"].join(' \\\n      ')} ;;`
  return `#compdef scamp
# completion of scamp for zsh
_scamp() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${plain(description)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(arm).join('\n')}
  esac
}
if [ "$funcstack[1]" = _scamp ]; then _scamp "$@"; else compdef _scamp scamp; fi
`
}

/** For fish. */
function fish({ commands }: Described): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
  const names = commands.map(({ name }) => name).join(' ')
  const none = `not __fish_seen_subcommand_from ${names}`
  const lines = commands.flatMap(({ name, description, options }) => [
    `complete -c scamp -n ${quoted(none)} -f -a ${name} -d ${quoted(description)}`,
    ...options.map(({ short, long, value, choices, description: what }) => {
      const names_ = [short && `-s ${short.slice(1)}`, long && `-l ${long.slice(2)}`]
        .filter((one) => one !== '')
        .join(' ')
      const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : value === '' ? '' : ' -r'
      return `complete -c scamp -n ${quoted(`__fish_seen_subcommand_from ${name}`)} ${names_}${values} -d ${quoted(what)}`
    }),
  ])
  return `# completion of scamp for fish\n${lines.join('\n')}\n`
}
