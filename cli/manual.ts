// The manual page, in roff: from the same tables as help.
import type { Described, DescribedOption } from './described.js'
import { environment, examples, exitStatus } from './help.js'

/** Spells the manual page scamp(1). */
export function manual({ description, version, options, commands }: Described): string {
  const sections = [
    `.TH SCAMP 1 "" ${quoted(`scamp ${version}`)} "User Commands"`,
    '.SH NAME',
    'scamp \\- see what Icon and Algol 68 programs really do',
    '.SH SYNOPSIS',
    ...commands.flatMap(({ name, usage }) => [`.B scamp ${text(name)}`, text(usage) || '.br', '.br']).slice(0, -1),
    '.SH DESCRIPTION',
    text(description),
    ...options.flatMap(option),
    '.SH COMMANDS',
    ...commands.flatMap((command) => [
      `.SS scamp ${text(command.name)} ${text(command.usage)}`,
      `${text(capitalised(command.description))}.`,
      ...command.options.flatMap(option),
      ...exampleLines(command.name),
    ]),
    '.SH EXAMPLES',
    ...exampleLines('scamp').slice(1),
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, means]) => ['.TP', `.B ${text(name)}`, text(means)]),
    '.SH EXIT STATUS',
    ...exitStatus.flatMap((paragraph) => ['.P', text(paragraph)]),
  ]
  return `${sections.filter((line) => line !== '').join('\n')}\n`
}

function option({ short, long, value, description, choices }: DescribedOption): string[] {
  const names = [short, long].filter((name) => name !== '').map((name) => `\\fB${text(name)}\\fR`)
  const argument = value === '' ? '' : ` \\fI${text(value)}\\fR`
  const values = choices.length > 0 ? ` One of ${text(choices.join(', '))}.` : ''
  return ['.TP', `${names.join(', ')}${argument}`, `${text(capitalised(description))}.${values}`]
}

function exampleLines(command: string): string[] {
  const own = examples[command] ?? []
  return own.length === 0 ? [] : ['.P', ...own.flatMap(([typed, does]) => ['.TP', `.B ${text(typed)}`, text(does)])]
}

const capitalised = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1)

/** Text in which roff sees no command. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replace(/^\./gm, '\\&.')
}

const quoted = (plain: string) => `"${text(plain)}"`
