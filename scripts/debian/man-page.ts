import type { Command, CommandOption } from '../../server/src/cli/command.ts'
import { commands } from '../../server/src/cli/commands.ts'
import { exitCodes, exitTexts, type Exit } from '../../server/src/cli/exit-codes.ts'

export interface ManPageDeps {
  readonly version: string
  /** Day of the version, as YYYY-MM-DD. */
  readonly date: string
}

/** gatehouse(1) in the macros of man(7), from the table of commands. */
export function manPage({ version, date }: ManPageDeps): string {
  const exits = (Object.keys(exitCodes) as Exit[]).flatMap((exit) => term(String(exitCodes[exit]), exitTexts[exit]))
  return [
    `.TH GATEHOUSE 1 "${date}" "gatehouse ${escaped(version)}" "User Commands"`,
    '.SH NAME',
    'gatehouse \\- self\\-hosted camera service built around access control',
    '.SH SYNOPSIS',
    ...commands.flatMap((command, at) => [...(at > 0 ? ['.br'] : []), synopsis(command)]),
    '.br',
    '.B gatehouse \\-\\-version',
    '.SH DESCRIPTION',
    ...paragraph(
      "gatehouse starts the service, checks its configuration, and manages users where the web UI can't be used. Results are printed to standard output, errors to standard error.",
    ),
    ...paragraph('Run it as root or as the user gatehouse. For root, it becomes that user before it does anything.'),
    '.SH COMMANDS',
    ...commands.flatMap(sectionOf),
    '.SH EXIT STATUS',
    ...exits,
    ...closing,
    '',
  ].join('\n')
}

function synopsis({ name, options, argument }: Command): string {
  const required = options.filter((option) => option.required).map((option) => `\\-\\-${optionText(option)}`)
  const value = argument && (argument.required ? argument.name : `[${argument.name}]`)
  return `.B gatehouse ${escaped([name, '[options]', ...(value === undefined ? [] : [value])].join(' '))}${required.map((each) => ` ${each}`).join('')}`
}

function sectionOf({ name, summary, description, argument, options }: Command): string[] {
  return [
    `.SS "gatehouse ${escaped(name)}"`,
    ...paragraph(summary),
    ...(description ?? []).flatMap((text) => ['.PP', ...paragraph(text)]),
    ...(argument ? term(`\\fI${escaped(argument.name)}\\fR`, argument.description) : []),
    ...options.flatMap((option) => term(`\\fB\\-\\-${optionText(option)}\\fR`, option.description)),
  ]
}

const optionText = ({ name, value }: CommandOption): string =>
  escaped(value === undefined ? name : `${name} <${value}>`)

const term = (head: string, text: string): string[] => ['.TP', head, ...paragraph(text)]

/** One line; a control character of roff at its beginning is text. */
const paragraph = (text: string): string[] => [escaped(text).replace(/^[.']/, '\\&$&')]

/** Text of roff: backslashes are doubled, hyphens stay hyphens that can be copied. */
const escaped = (text: string): string => text.replaceAll('\\', '\\e').replaceAll('-', '\\-')

/** What is true for the Debian package, which is what installs this page. */
const closing = [
  '.SH FILES',
  ...term('/var/lib/gatehouse/config/config.yml', 'the configuration; the first start creates it'),
  ...term('/var/lib/gatehouse/media', 'recordings and exported files'),
  ...term('/etc/gatehouse/credentials', 'secrets that fill in placeholders of the configuration, one per file'),
  ...term('/etc/default/gatehouse', 'the folders, if others are to be used'),
  ...term('/var/backups/gatehouse', 'backups that upgrades make'),
  '.SH SEE ALSO',
  '.BR journalctl (1),',
  '.BR systemctl (1)',
]
